import Connectivity
import DeviceDomain
import Testing

@testable import DeviceControl

@Suite struct TrackedCommandTests {
    /// A command may be forgotten and followed again while the ledger writes.
    @Test func moreMayHaveBeenWrittenThanIsLacking() throws {
        let bench = try LifecycleBench()
        let command = TrackedCommand(entering: bench.lifecycle, lane: nil)
        let event = LedgerEvent(.sent, of: bench.lifecycle.intent.id, at: LifecycleBench.start.wall)
        command.keep([event, event, event])
        command.note(written: 1)
        #expect(command.unwritten == [event, event])
        command.note(written: 3)
        #expect(command.unwritten.isEmpty)
    }
}
