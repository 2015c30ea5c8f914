import Connectivity
import DeviceDomain
import DeviceMessages
import HomeportTesting
import MQTTClient
import TestSupport
import Testing

@testable import MatterAdapter

/// A Matter server over a real WebSocket keeps the contract of a channel.
@Suite(.timeLimit(.minutes(2))) struct ConformanceTests {
    @Test func itKeepsTheContract() async throws {
        let peer = try ServerPeer()
        let violations = await ChannelConformance(of: peer).violations()
        #expect(violations.isEmpty, "\(violations)")
        await peer.end()
    }
}

/// A server of one lamp, which reports what was set.
private struct ServerPeer: ChannelPeer {
    let home = MatterAdapterTests.home
    let controller = ControllerID.literal("ctl")
    let device = MatterAdapterTests.device("house-7")
    let command = CommandName(rawValue: "turn-on")
    let arguments: JSONObject = [:]
    private let server: FakeMatterServer
    private let clock = ManualLoopClock()
    private let loop: MQTTEventLoop

    init() throws {
        server = try FakeMatterServer(nodes: [FakeMatterServer.node("7", Sample.light)]) {
            [
                FakeMatterServer.result("null", of: $0),
                FakeMatterServer.report("7", "1/6/0", "true"),
            ]
        }
        loop = try MQTTEventLoop(label: "matter-test", clock: .manual(clock))
    }

    func end() async {
        server.stop()
        await loop.shutdown()
    }

    func makeChannel() async throws -> any CommunicationChannel {
        MatterChannel(
            MatterChannelConfiguration(
                id: channelID, home: home, server: try MatterServerAddress(server.url)), on: loop)
    }

    func receivedCommands() async throws -> Int { server.requests.count }

    func loseLink() async throws { server.stop() }

    func restoreLink() async throws {
        try server.start()
        // The next attempt is due by then.
        clock.advance(by: .seconds(60))
    }

    func sendGarbage() async throws {
        server.send("garbage")
        server.send(#"{"event":"node_updated","data":{"node_id":8}}"#)
        server.report("7", "1/6", "{}")
        server.report("8", "1/6/0", "true")
    }
}
