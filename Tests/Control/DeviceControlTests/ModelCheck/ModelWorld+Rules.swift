import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages

/// The rules that hold in every world, numbered as the invariants of a command's outcome.
extension ModelWorld {
    /// What must hold when a command is handed to the link (PROTOCOL section 4).
    mutating func checkDeparture(of command: Int) {
        if ledger[command] == nil { breakRule("a command leaves that the ledger does not have") }
        if departures[command] == .byDeadProcess {
            breakRule("a command of a dead process is sent again without asking")
        }
        if controller?.followers[command]?.lifecycle.progress.lastAck ?? 0 > 0 {
            breakRule("a command is sent again after an ack")
        }
        if isExpired { breakRule("a command leaves after it has expired") }
    }

    /// What must hold after every event.
    mutating func checkRules(since before: ModelWorld) {
        for command in scenario.intents.indices {
            checkVerdict(on: command)
            if let old = before.ledger[command], old.state.isFinal,
                ledger[command]?.state != old.state
            {
                breakRule("I1: command \(command + 1) has two ends")
            }
            if device.effects.count(where: { $0 == command }) > 1 {
                breakRule("I2: command \(command + 1) was executed twice")
            }
        }
        if scenario.orderMatters, let first = device.effects.firstIndex(of: 0),
            let second = device.effects.firstIndex(of: 1), second < first
        {
            breakRule("I5: command 1 takes effect after command 2")
        }
    }

    /// The ledger's verdict against what the device has done.
    private mutating func checkVerdict(on command: Int) {
        guard let state = ledger[command]?.state else { return }
        let hasEffect = device.effects.contains(command)
        switch state {
        case .succeeded where !hasEffect:
            breakRule("I3: command \(command + 1) succeeded without an effect")
        case .rejected where hasEffect, .refused where hasEffect, .expired where hasEffect:
            breakRule("I4: command \(command + 1) is \(state.rawValue), but has an effect")
        case .cancelled where hasEffect, .superseded where hasEffect:
            // A device may end what it has begun; then it says so itself.
            guard device.record(of: command)?.stage.rawValue != state.rawValue else { return }
            breakRule("I4: command \(command + 1) is \(state.rawValue), but has an effect")
        case .created, .queued, .sending, .sent, .accepted, .running, .succeeded, .failed,
            .rejected, .cancelled, .superseded, .refused, .expired, .unknown:
            return
        }
    }

    /// What must hold where nothing but a fault can happen any more.
    mutating func checkEnd() {
        for command in scenario.intents.indices {
            guard let progress = ledger[command] else {
                breakRule("I1: command \(command + 1) has vanished")
                continue
            }
            if !progress.state.isSettled {
                breakRule("I1: command \(command + 1) stays \(progress.state.rawValue) for ever")
            }
        }
    }
}
