import DeviceDomain
import DeviceMessages

/// A program of a pool robot on its way.
struct PoolRun: Hashable, Sendable {
    /// What is cleaned.
    let program: PoolRobot.Program
    /// How long it takes, in seconds.
    let total: Double
    /// How long it has run, in seconds.
    var elapsed = 0.0
    /// Whether it is an action, not the schedule's doing.
    let isAction: Bool
    /// What may stop it.
    var protection = PoolProtection()

    /// How far it is, 0…100.
    var percent: Double { min(100, elapsed / total * 100).rounded() }

    /// What is told at its end.
    var ending: [BehaviourOccurrence] {
        let detail: JSONObject = [
            "program": .string(program.rawValue), "minutes": .number((elapsed / 60).rounded()),
        ]
        let event = BehaviourOccurrence.event(.programFinished, detail: detail)
        return isAction ? [.actionEnded(.succeeded(result: detail)), event] : [event]
    }
}

/// What a pool robot is doing.
enum PoolActivity: Hashable, Sendable {
    /// Nothing: its motors are off.
    case idle
    /// It holds itself at the waterline for its owner, for so many seconds; reported as idle.
    case holding(seconds: Int)
    /// It cleans.
    case cleaning(PoolRun)
    /// A program waits; its motors are off.
    case paused(PoolRun)
    /// It comes up.
    case surfacing(PoolProtection, isAction: Bool)
    /// It has stopped itself.
    case failed(PoolFailure)

    /// The program on its way, running or paused.
    var run: PoolRun? {
        switch self {
        case .cleaning(let run), .paused(let run): run
        case .idle, .holding, .surfacing, .failed: nil
        }
    }

    /// Why it has stopped itself, if it has.
    var failure: PoolFailure? {
        switch self {
        case .failed(let failure): failure
        case .idle, .holding, .cleaning, .paused, .surfacing: nil
        }
    }

    /// Whether its motors work.
    var isWorking: Bool {
        switch self {
        case .holding, .cleaning, .surfacing: true
        case .idle, .paused, .failed: false
        }
    }

    /// The activity as the state reports it.
    var reported: PoolRobot.Activity {
        switch self {
        case .idle, .holding: .idle
        case .cleaning: .cleaning
        case .paused: .paused
        case .surfacing: .surfacing
        case .failed: .error
        }
    }
}

extension PoolFailure {
    /// What is told when it happens.
    /// - Parameter isAction: whether an action fails with it.
    func occurrences(isAction: Bool) -> [BehaviourOccurrence] {
        let event = BehaviourOccurrence.event(event, detail: ["code": .string(rawValue)])
        return isAction ? [.actionEnded(.failed(ackCode, message: message)), event] : [event]
    }
}

extension BatteryPack {
    /// What is told when a pool robot gives up because of its battery.
    func givingUp(isAction: Bool) -> [BehaviourOccurrence] {
        let percent = percent.rounded(.down)
        let charge = JSONObject(reporting: [.batteryPercent: .number(percent)])
        let event = BehaviourOccurrence.event(.lowBattery, detail: charge)
        let reason = "the battery is at \(Int(percent)) %"
        return isAction
            ? [.actionEnded(.failed(.lowBattery, message: reason)), event] : [event]
    }
}
