import DeviceDomain
import DeviceMessages
import DeviceSimulation
import TestSupport

@testable import Fleet

/// Journals that nobody wrote: lines drawn at random, the same for the same seed.
struct RecordSamples {
    private var generator: SeededGenerator
    private let keys: [DeviceKey]
    private let commands: [CommandKey]

    init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        let devices = try (1...3).map { try DeviceID("sweeper-\($0)") }
        let home = try HomeID("home-1")
        keys = devices.map { DeviceKey(home: home, device: $0) }
        let controllers = try ["ctl-a", "ctl-b"].map { try ControllerID($0) }
        var ids = SeededGenerator(seed: seed ^ 1)
        commands = controllers.flatMap { controller in
            (0..<6).map { number in
                let at = Timestamp(milliseconds: 1_764_000_000_000 + number)
                return CommandKey(controller: controller, id: CommandID(at: at, using: &ids))
            }
        }
    }

    /// A line about one of three devices.
    mutating func line() throws -> JournalLine {
        let key = keys.randomElement(using: &generator) ?? keys[0]
        guard Int.random(in: 0..<10, using: &generator) > 0 else {
            let boot = BootCount(
                count: Int.random(in: 1...9, using: &generator),
                since: Timestamp(milliseconds: 1_764_000_000_000))
            return JournalLine(key: key, content: .boot(boot))
        }
        return JournalLine(key: key, content: .record(try record(of: key)))
    }

    private mutating func record(of key: DeviceKey) throws -> JournalRecord {
        let command = commands.randomElement(using: &generator) ?? commands[0]
        let number = Int.random(in: 0..<100, using: &generator)
        let at = Timestamp(milliseconds: 1_764_000_000_000 + number)
        switch Int.random(in: 0..<13, using: &generator) {
        case 0, 1, 2:
            return .entered(
                JournalEntry(
                    command: command, payload: Array(#"{"v":1,"n":\#(number)}"#.utf8),
                    isUrgent: number.isMultiple(of: 2), ack: try ack(command, .accepted, of: key),
                    expiry: at))
        case 3: return .started(command, executions: 1)
        case 4: return .progressed(command, try ack(command, .progress, of: key))
        case 5:
            let final = FinishedCommand(command, try ack(command, .succeeded, of: key))
            return .finished([final], number > 50 ? state(number, command.id, at) : nil)
        case 6: return .confirmed(command)
        case 7: return .evicted([command])
        case 8: return .promised(command.controller, [command.id], at: at)
        case 9: return .released(command.controller, [command.id])
        case 10: return .committed(try claim(number))
        case 11: return .memory(Array(#"{"batteryWh":\#(number).5,"jobs":1}"#.utf8))
        default: return .state(state(number, nil, at))
        }
    }

    private func claim(_ number: Int) throws -> ClaimNonce {
        guard let claim = ClaimNonce(rawValue: "claim \(number) ü") else {
            throw PayloadError(code: .outOfRange, message: "no claim")
        }
        return claim
    }

    private func ack(
        _ command: CommandKey, _ stage: AckStage, of key: DeviceKey
    ) throws -> AckMessage {
        AckMessage(
            id: command.id, device: key.device, boot: try BootID("b1"), n: 1, stage: stage,
            message: "line\nfeed, \"quotes\" and ü", revision: 3, executions: 1,
            at: Timestamp(milliseconds: 1_764_000_000_000))
    }

    private func state(_ number: Int, _ by: CommandID?, _ at: Timestamp) -> RecordedState {
        RecordedState(
            revision: number, controlled: ["activity": "docked", "error": nil], by: by, at: at)
    }
}
