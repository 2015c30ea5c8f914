import DeviceControl
import Persistence
import TestSupport
import Testing

/// Roles that one process of a ledger has at a time.
@Suite struct RoleTests {
    @Test func oneHasARoleUntilItIsReleased() throws {
        let folder = try TemporaryFolder()
        let (first, _) = try folder.openLedger()
        let (second, _) = try folder.openLedger()
        let role = try #require(try first.take("bridge-home-1"))
        #expect(try second.take("bridge-home-1") == nil)
        #expect(try second.take("bridge-home-2") != nil)
        role.release()
        #expect(try second.take("bridge-home-1") != nil)
    }

    @Test func aFolderThatCannotBeWrittenIsNoTakenRole() throws {
        let folder = try TemporaryFolder()
        let (database, _) = try folder.openLedger()
        // A path that is a folder cannot be locked by anybody, also not by root.
        _ = try folder.folder("state/ledger.sqlite-processes/bridge.lock")
        let error = #expect(throws: LedgerError.self) { _ = try database.take("bridge") }
        #expect(error?.message.contains("bridge.lock") == true)
    }

    @Test func aLedgerInMemoryHasNoOtherProcess() throws {
        #expect(try LedgerDatabase.inMemory().take("bridge-home-1") != nil)
    }
}
