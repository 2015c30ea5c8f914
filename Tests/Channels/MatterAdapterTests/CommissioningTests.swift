import Basics
import Connectivity
import DeviceDomain
import MQTTClient
import TestSupport
import Testing

@testable import MatterAdapter

@Suite(.timeLimit(.minutes(1))) struct CommissioningTests {
    private static let request = CommissioningRequest.commission(
        code: "34970112332", networkOnly: true)

    private func text(_ request: CommissioningRequest) -> String {
        String(decoding: request.text, as: UTF8.self)
    }

    @Test func requestsHaveTheNamesThatServersKnow() {
        #expect(
            text(Self.request)
                == #"{"command":"commission_with_code","args":{"code":"34970112332","network_only":true}}"#
        )
        #expect(
            text(.setWiFi(ssid: "a\"b", password: "c"))
                == #"{"command":"set_wifi_credentials","args":{"ssid":"a\"b","credentials":"c"}}"#)
        #expect(
            text(.setThread(dataset: "0e08"))
                == #"{"command":"set_thread_dataset","args":{"dataset":"0e08"}}"#)
        #expect(text(.discover) == #"{"command":"discover","args":{}}"#)
        #expect(
            text(.remove(node: .max))
                == #"{"command":"remove_node","args":{"node_id":18446744073709551615}}"#)
    }

    @Test func answersAreRead() {
        let described = json(FakeMatterServer.node("18446744073709551615", #""0/40/2":65521"#))
        #expect(
            CommissioningAnswer(described, to: Self.request)
                == .done(CommissionedNode(id: .max, vendor: 65_521)))
        #expect(CommissioningAnswer(json("null"), to: Self.request) == .done(nil))
        #expect(
            CommissioningAnswer(
                json(#"[{"long_discriminator":3840},{"longDiscriminator":1},{},7]"#), to: .discover)
                == .discovered([3840, 1]))
        #expect(CommissioningAnswer(json("null"), to: .discover) == .discovered([]))
    }

    @Test func anAnswerCanBeWaitedForTwiceAndAfterItCame() async {
        var pending = PendingRequests()
        pending.begin("1", Self.request)
        let (first, second) = (PendingRequests.Waiter(), PendingRequests.Waiter())
        pending.wait(for: "1", first)
        let isOther = pending.answered("2", .null)
        let isOwn = pending.failed("1", ServerFailure(code: 1, details: "no"))
        #expect(!isOther && isOwn)
        // Not a second time.
        _ = pending.answered("1", .null)
        pending.linkLost()
        pending.wait(for: "1", second)
        for waiter in [first, second] {
            #expect(await waiter.value(ifCancelled: nil) == .failed(code: 1, details: "no"))
        }
        pending.forget("1")
        let isKnown = pending.answered("1", .null)
        #expect(!isKnown)
    }

    @Test func aLostConnectionEndsTheWait() async {
        var pending = PendingRequests()
        pending.begin("1", Self.request)
        let (waiter, late) = (PendingRequests.Waiter(), PendingRequests.Waiter())
        pending.wait(for: "1", waiter)
        pending.linkLost()
        pending.wait(for: "1", late)
        #expect(await waiter.value(ifCancelled: nil) == .lost)
        #expect(await late.value(ifCancelled: nil) == .lost)
    }

    // MARK: Over a socket

    private func withChannel(
        _ server: FakeMatterServer, _ body: (MatterChannel) async throws -> Void
    ) async throws {
        let loop = try MQTTEventLoop(label: "matter-test")
        let channel = MatterChannel(
            MatterChannelConfiguration(
                id: channelID, home: home, server: try MatterServerAddress(server.url)), on: loop)
        do {
            try await body(channel)
            await channel.close()
        } catch {
            await channel.close()
            throw error
        }
    }

    @Test func aCommissionedNodeIsListedWithItsAnswer() async throws {
        let node = FakeMatterServer.node("8", #""0/40/2":65521,"0/40/4":32769"#)
        let server = try FakeMatterServer(nodes: [FakeMatterServer.node("7", "")]) { request in
            [
                #"{"event":"node_added","data":\#(node)}"#,
                FakeMatterServer.result(node, of: request),
            ]
        }
        defer { server.stop() }
        try await withChannel(server) { channel in
            #expect(await channel.commissionedNodes() == nil)
            let request = try await channel.begin(Self.request)
            let new = CommissionedNode(id: 8, vendor: 65_521, product: 32_769)
            #expect(await channel.answer(to: request) == .done(new))
            #expect(
                await channel.commissionedNodes() == [CommissionedNode(id: 7), new])
            #expect(
                await channel.commissioningMeans()
                    == CommissioningMeans(hasBluetooth: false, hasWiFi: false, hasThread: false))
        }
    }

    @Test func aHangUpIsALostAnswerAndNothingIsSentAgain() async throws {
        let server = try FakeMatterServer(nodes: []) { _ in nil }
        defer { server.stop() }
        try await withChannel(server) { channel in
            let request = try await channel.begin(Self.request)
            #expect(await channel.answer(to: request) == .lost)
            try await channel.open()
            #expect(server.requests.count == 1)
            #expect(await channel.commissionedNodes() == [])
        }
    }
}
