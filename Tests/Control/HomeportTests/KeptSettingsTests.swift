import Homeport
import HomeportTesting
import TestSupport
import Testing

/// A setting for a device that is away, as a program sees it.
@Suite(.timeLimit(.minutes(1))) struct KeptSettingsTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse
    private let pool: DeviceID
    private let entries: JSONValue = [["weekday": 1, "at": "09:30", "program": "floor"]]

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
        pool = try DeviceID("pool-1")
    }

    @Test func itIsListedUntilTheDeviceHasReportedIt() async throws {
        try await house.withHome { home in
            let receipt = try await sendOffline(in: home)
            let end = try await receipt.outcome(.delivered)
            #expect(end.record.state == .sent)
            #expect(try await home.waitingCommands().map(\.id) == [receipt.id])
            report(["schedule": entries])
            #expect(try await receipt.finished().record.state == .succeeded)
            #expect(try await home.waitingCommands().isEmpty)
            #expect(try await home.history(device: pool).map(\.state) == [.succeeded])
        }
    }

    @Test func itCanBeReplacedButNotTakenBack() async throws {
        try await house.withHome { home in
            let receipt = try await sendOffline(in: home)
            _ = try await receipt.outcome(.delivered)
            let cancellation = try await home.cancel(receipt.id)
            #expect(cancellation.record.state == .sent)
            #expect(cancellation.reason?.hasPrefix("set-schedule is kept for pool-1") == true)
            let error = await #expect(throws: HomeError.self) { try await home.undo(pool) }
            #expect(error?.message.contains("is kept for pool-1") == true)

            let later = try await home.send(.setSchedule, ["entries": []], to: pool)
            _ = try await later.outcome(.delivered)
            #expect(channel.settings(keptFor: pool, in: house.id)?.revision == 2)
            report(["schedule": []], revision: 2)
            #expect(try await receipt.finished().record.state == .superseded)
            #expect(try await later.finished().record.state == .succeeded)
        }
    }

    @Test func aDeviceThatNeverAcknowledgedItCannotUndoIt() async throws {
        try await house.withHome { home in
            let receipt = try await sendOffline(in: home)
            _ = try await receipt.outcome(.delivered)
            report(["schedule": entries])
            _ = try await receipt.finished()
            let error = await #expect(throws: HomeError.self) { try await home.undo(pool) }
            #expect(error?.message.contains("did not say what") == true)
        }
    }

    /// The next process would write it again.
    @Test func itEndsWithTheDeviceThatIsForgotten() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file("\(folder.path)/ledger.sqlite")
        try await house.withHome(ledger: ledger) { home in
            let receipt = try await sendOffline(in: home)
            _ = try await receipt.outcome(.delivered)
            let forgotten = try await home.forget(pool)
            #expect(forgotten.putAway == [receipt.id] && forgotten.takenBack.isEmpty)
            let record = try await receipt.finished().record
            #expect(record.progress.isPutAway && !record.progress.isOpen)
            let cancellation = try await home.cancel(receipt.id)
            #expect(cancellation.reason == "\(receipt.id) has ended already: unknown")
            #expect(record.progress.message.contains("its device was forgotten"))
            #expect(try await home.waitingCommands().isEmpty)
            #expect(try await home.verifyAudit().isIntact)
        }
        try await house.withHome(ledger: ledger) { home in
            let adopted = try await home.takeOverOpenCommands()
            #expect(adopted.isEmpty)
            #expect(channel.settings(keptFor: pool, in: house.id) == nil)
        }
    }

    /// The device may still get it.
    @Test func itStaysWhileTheChannelKeepsIt() async throws {
        try await house.withHome { home in
            let receipt = try await sendOffline(in: home)
            _ = try await receipt.outcome(.delivered)
            channel.refuseClearing(CommunicationError(.notPermitted, "not with this user"))
            let forgotten = try await home.forget(pool)
            #expect(forgotten.comesBack != nil && forgotten.putAway.isEmpty)
            #expect(try await home.waitingCommands().map(\.id) == [receipt.id])
        }
    }

    @Test func itsExplanationNamesTheRevisionAndWhatFollows() async throws {
        try await house.withHome { home in
            let receipt = try await sendOffline(in: home)
            _ = try await receipt.outcome(.delivered)
            let explanation = try await home.explain(receipt.id)
            #expect(explanation.meaning.contains("kept for pool-1"))
            #expect(explanation.next.contains("applies it when it returns"))
            let texts = explanation.steps.map(\.text)
            #expect(texts.contains("written as revision 1 of the settings kept for pool-1"))
        }
    }

    private func sendOffline(in home: Home) async throws -> CommandReceipt {
        try house.announce("pool-p1", as: pool.text)
        _ = try await home.devices()
        channel.deliver(.presence(Presence(.offline)), from: pool, in: house.id)
        return try await home.send(.setSchedule, ["entries": entries], to: pool)
    }

    private func report(_ members: JSONObject, revision: Int = 1) {
        let applied = DesiredSettings(revision: revision, members: members)
        channel.deliver(
            .state(StateReport([:], revision: revision, applied: applied)), from: pool, in: house.id
        )
    }
}
