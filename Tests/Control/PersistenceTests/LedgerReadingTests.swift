import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Foundation
import GRDB
import Persistence
import TestSupport
import Testing

/// Reading needs no write.
@Suite struct LedgerReadingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func fill() async throws -> CommandIntent {
        let intent = try CommandIntent.sample()
        let (database, ledger) = try folder.openLedger()
        _ = try await ledger.accept(intent)
        database.retire()
        return intent
    }

    @Test func openingForReadingMakesNothing() throws {
        #expect(try LedgerDatabase.openForReading(at: folder.ledgerPath) == nil)
        #expect(folder.names.isEmpty)
    }

    @Test func aLedgerThatIsOpenForReadingTakesNoWrites() async throws {
        let intent = try await fill()
        let database = try #require(try LedgerDatabase.openForReading(at: folder.ledgerPath))
        let ledger = GRDBCommandLedger.onManualTime(database)
        #expect(try await ledger.record(of: intent.id)?.intent == intent)
        let error = await #expect(throws: LedgerError.self) { try await ledger.accept(.sample()) }
        #expect(error?.code == .unwritable)
        #expect(try await ledger.history(HistoryQuery()).count == 1)
    }

    @Test func anOlderLedgerIsNotReadBeforeItIsBroughtUpToDate() async throws {
        _ = try await fill()
        try folder.execute("PRAGMA user_version = 2")
        let error = #expect(throws: LedgerError.self) {
            try LedgerDatabase.openForReading(at: folder.ledgerPath)
        }
        #expect(error?.message.contains("older version") == true)
    }

    /// The log was copied into the database, and its index is gone: as after a clean end, or in a
    /// copy. Nobody can make them where nothing can be written.
    @Test(arguments: [true, false])
    func aLedgerThatCannotBeWrittenIsRead(hasLog: Bool) async throws {
        let id = try await fill().id.bytes
        if !hasLog { try folder.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
        let path = folder.ledgerPath
        for name in hasLog ? ["", "-wal", "-shm"] : [""] {
            try #require(chmod(path + name, 0o444) == 0)
        }
        for name in hasLog ? [] : ["-wal", "-shm"] { unlink(path + name) }
        chmod(folder.path, 0o755)
        chmod(folder.path + "/state", 0o555)
        defer { chmod(folder.path + "/state", 0o700) }
        await #expect(processExitsWith: .success) {
            [path = path as String, id = id as [UInt8]] in
            becomeAnybody()
            let database = try LedgerDatabase.open(at: path)
            let ledger = GRDBCommandLedger.onManualTime(database)
            #expect(try await ledger.history(HistoryQuery()).map(\.id.bytes) == [id])
            let error = await #expect(throws: LedgerError.self) {
                try await ledger.accept(.sample())
            }
            #expect(error?.code == .unwritable)
        }
    }

    @Test func rememberedDevicesAreReadWithoutWaiting() async throws {
        let home = try HomeID("home-1")
        let device = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: "sweeper-s1"), id: try DeviceID("robot-1"), home: home)
        let remembered = RememberedDevice(
            profile: device.profile, channel: try ChannelID("mqtt"))
        let (database, _) = try folder.openLedger()
        try await GRDBDeviceRepository(database).remember([remembered])
        let reading = try #require(try LedgerDatabase.openForReading(at: folder.ledgerPath))
        #expect(try GRDBDeviceRepository(reading).readDevices(in: home) == [remembered])
        #expect(try GRDBDeviceRepository(reading).readDevices(in: try HomeID("other")).isEmpty)
    }
}

/// Takes the rights of root from this process: for root no file is read-only.
private func becomeAnybody() {
    guard geteuid() == 0 else { return }
    setgroups(0, nil)
    setgid(65_534)
    setuid(65_534)
}
