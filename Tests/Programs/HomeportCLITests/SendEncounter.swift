import DeviceControl
import Foundation
import Homeport
import Persistence
import TestSupport
import Testing

/// What a command came to: the run of the program, and every command that the device got.
struct SendEncounter {
    /// The run of the program.
    let run: Workplace.Run
    /// What the device got.
    let commands: [FakeDevice.Command]

    /// The JSON object on stdout.
    var object: [String: Any] {
        get throws {
            try #require(run.lines.count == 1, "\(run)")
            return try #require(
                JSONSerialization.jsonObject(with: Data(run.lines[0].utf8)) as? [String: Any])
        }
    }

    /// The member `state` of the object.
    var state: String? { get throws { try object["state"] as? String } }
}

extension Workplace {
    /// Runs `homeport send lamp-1 …` beside a device that answers as the script says.
    func send(
        _ arguments: String..., version: MQTTProtocolVersion = .v5,
        commands: String = FakeDevice.lampCommands,
        prepare: (FakeDevice) async throws -> Void = { _ in },
        answer: @escaping @Sendable (FakeDevice, FakeDevice.Command, Int) async throws -> Void
    ) async throws -> SendEncounter {
        try await withBroker { broker in
            try await FakeDevice.with(on: broker.url, commands: commands, version: version) {
                device in
                try await prepare(device)
                let got = CommandLog()
                return try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for await message in device.peer.messages {
                            let command = try #require(FakeDevice.Command(message))
                            let count = got.add(command)
                            try await answer(device, command, count)
                        }
                    }
                    let words =
                        ["send", "lamp-1"] + arguments + ["--json", "--broker", broker.url]
                    let run = try await shell(
                        "exec \"$homeport\" " + words.map { "'\($0)'" }.joined(separator: " "))
                    group.cancelAll()
                    return SendEncounter(run: run, commands: got.commands)
                }
            }
        }
    }

    /// Waits until the ledger has the outcome of a command as unknown. It reads the file itself: `send` waits
    /// two seconds more for a late answer, and a process for each look may take longer.
    func awaitUnknownOutcome(of command: FakeDevice.Command) async throws {
        let id = try #require(CommandID(command.id))
        let path = "\(folder.path)/state/homeport/ledger.sqlite"
        let database = try #require(try LedgerDatabase.openForReading(at: path))
        defer { database.close() }
        let ledger = GRDBCommandLedger(database) { Timestamp(milliseconds: 0) }
        while try await ledger.record(of: id)?.state != .unknown { try Task.checkCancellation() }
    }

    /// The lines of `homeport history --json`.
    func history(_ arguments: String = "") async throws -> [[String: Any]] {
        let run = try await shell("exec \"$homeport\" history --json \(arguments)")
        #expect(run.status == 0)
        return try run.lines.map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }
}
