import DeviceControl
import DeviceDomain
import DeviceMessages
import Foundation
import Persistence
import TestSupport

extension TemporaryFolder {
    /// Where its ledger is.
    var ledgerPath: String { path + "/state/ledger.sqlite" }

    func permissions(of name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: name)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    func size(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: name)
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    /// Opens its ledger.
    func openLedger() throws -> (LedgerDatabase, GRDBCommandLedger) {
        let database = try LedgerDatabase.open(at: ledgerPath)
        return (database, .onManualTime(database))
    }
}

extension GRDBCommandLedger {
    static let start = Timestamp(milliseconds: 1_764_000_000_000)

    static func onManualTime(_ database: LedgerDatabase) -> GRDBCommandLedger {
        GRDBCommandLedger(database) { start }
    }
}

extension GRDBCommandLedger {
    /// One command from its acceptance to its end.
    func runSample() async throws {
        let intent = try CommandIntent.sample()
        let record = try await accept(intent, opening: .queued)
        _ = try await advance(
            intent.id, from: record.progress, to: record.progress.next(.failed), because: nil)
    }
}

extension CommandIntent {
    /// A command with every optional part.
    static func sample(
        device: String = "robot-1", controller: String = "ctl", home: String = "home-1",
        purpose: Purpose = .request, offline: OfflinePolicy = .expire(after: .seconds(600))
    ) throws -> CommandIntent {
        var generator = SeededGenerator(seed: .random(in: .min ... .max))
        let start = GRDBCommandLedger.start
        return CommandIntent(
            id: CommandID(at: start, using: &generator), purpose: purpose,
            controller: try ControllerID(controller), home: try HomeID(home),
            device: try DeviceID(device), name: CommandName(rawValue: "start-cleaning"),
            arguments: ["rooms": [3, 5], "note": "a \"quoted\" ☃ text"], sort: .action,
            offline: offline, issuedAt: start, expiresAt: start.advanced(by: .seconds(30)),
            ifRevision: 7, cause: "undo:x", isDryRun: false)
    }

    func ack(_ stage: AckStage, n: Int) throws -> AckMessage {
        AckMessage(
            id: id, device: device, boot: try BootID("b1"), n: n, stage: stage,
            result: ["previous": "max"], revision: 8, executions: 1, at: issuedAt)
    }
}

extension CommandProgress {
    static let queued = CommandProgress(
        step: 1, state: .queued, timings: CommandTimings(createdAt: GRDBCommandLedger.start))

    func next(_ state: CommandState) -> CommandProgress {
        var copy = self
        copy.step += 1
        copy.state = state
        return copy
    }
}
