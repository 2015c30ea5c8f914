import TestSupport
import Testing

@testable import Fleet

@Suite(.timeLimit(.minutes(1)))
struct FleetOnFakeBrokerTests {
    private static let root = "homeport/v1/home-1/sweeper-1"

    @Test func connectsWithASessionThatOutlivesADisconnectAndAWill() async throws {
        let (connects, sink) = AsyncStream.makeStream(of: FakeBrokerConnect.self)
        try await withFakeBroker { broker in
            try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) { running in
                var iterator = connects.makeAsyncIterator()
                let connect = try #require(await iterator.next())
                #expect(connect.clientID == "homeport-home-1-sweeper-1")
                #expect(!connect.cleanStart)
                #expect(connect.hasWill)
                #expect(connect.properties[0x11] == 3600)
                try await running.notice(beginning: "ready")
            }
        } broker: { broker in
            let peer = try broker.accept()
            sink.yield(try peer.readConnect())
            try peer.send(.connack(.v5))
            peer.answerToEnd()
        }
    }

    @Test func subscribesThenAnnouncesAndIsReadyOnceAllIsConfirmed() async throws {
        let gate = Gate()
        let (packets, sink) = AsyncStream.makeStream(of: FakeBrokerPacket.self)
        try await withFakeBroker { broker in
            try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) { running in
                var iterator = packets.makeAsyncIterator()
                var packet = try #require(await iterator.next())
                #expect(packet.kind == .subscribe)
                while packet.kind == .subscribe { packet = try #require(await iterator.next()) }
                for topic in ["description", "presence", "state"] {
                    #expect(packet.topic == "\(Self.root)/\(topic)")
                    #expect(packet.header == 0x33, "QoS 1, retained")
                    if topic != "state" { packet = try #require(await iterator.next()) }
                }
                #expect(await !running.fleet.snapshot().isReady)
                gate.open()
                try await running.notice(beginning: "ready 1 devices")
                #expect(await running.fleet.snapshot().isReady)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            var announcement: [FakeBrokerPacket] = []
            while announcement.count(where: { $0.kind == .publish }) < 3 {
                announcement.append(try peer.read())
                sink.yield(announcement[announcement.count - 1])
            }
            gate.wait()
            for packet in announcement { try peer.answer(packet) }
            peer.answerToEnd()
        }
    }

    @Test func aGoodbyeIsSaidBeforeDisconnect() async throws {
        let (packets, sink) = AsyncStream.makeStream(of: FakeBrokerPacket.self)
        try await withFakeBroker { broker in
            try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) { running in
                try await running.notice(beginning: "ready")
            }
            var last: [FakeBrokerPacket.Kind] = []
            var goodbye = ""
            for await packet in packets {
                if packet.kind == .publish { goodbye = packet.text }
                last.append(packet.kind)
                if packet.kind == .disconnect { break }
            }
            #expect(last.suffix(2) == [.publish, .disconnect])
            #expect(goodbye.contains(#""status":"offline""#))
        } broker: { broker in
            let peer = try broker.acceptConnected()
            peer.answerToEnd { sink.yield($0) }
        }
    }

    @Test(arguments: [0x86, 0x87] as [UInt8])
    func refusedCredentialsEndTheRun(code: UInt8) async throws {
        try await withFakeBroker { broker in
            let error = await #expect(throws: FleetError.self) {
                try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) { running in
                    for await _ in running.notices {}
                }
            }
            #expect(error?.code == .connectionRefused)
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            try peer.send(.connack(.v5, code: code))
            _ = peer.readToEnd()
        }
    }

    @Test func aTakenOverSessionIsReportedAndLeft() async throws {
        try await withFakeBroker { broker in
            let error = await #expect(throws: FleetError.self) {
                try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) { running in
                    try await running.notice(
                        beginning: "home-1/sweeper-1: another client seems to use the id")
                    try await running.notice(beginning: "home-1/sweeper-1: gives up")
                    for await _ in running.notices {}
                }
            }
            #expect(error?.code == .devicesRefused)
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.disconnect(0x8E))
            peer.cut()
        }
    }

    @Test func aTakeoverInAClusterMayBeTheCleaningUpOfANode() async throws {
        try await withFakeBroker { broker in
            try await withFleet(
                DeviceCounts(sweepers: 1),
                on: "\(broker.url),mqtt://127.0.0.1:\(try freePort())",
                reconnect: .fixed(.milliseconds(1))
            ) { running in
                try await running.notice(beginning: "ready")
                #expect(await running.fleet.snapshot().isReady)
            }
        } broker: { broker in
            let ended = try broker.acceptConnected()
            try ended.send(.disconnect(0x8E))
            ended.cut()
            try broker.acceptConnected().answerToEnd()
        }
    }

    @Test(
        arguments: [
            (
                0x9A, "does not allow retained messages, which the devices need",
                "retain_available true"
            ),
            (0x9B, "does not allow QoS 1, which the devices need", "max_qos 2"),
        ] as [(UInt8, String, String)])
    func aBrokerThatIsNotSetUpForDevicesIsToldWhatToSet(
        code: UInt8, lack: String, setting: String
    ) async throws {
        try await withFakeBroker { broker in
            let error = await #expect(throws: FleetError.self) {
                try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) { running in
                    for await _ in running.notices {}
                }
            }
            #expect(error?.code == .connectionRefused)
            let message = error?.message ?? ""
            #expect(message.contains(lack) && message.contains(setting), "\(message)")
            #expect(!message.contains("cannot reach") && !message.contains("--broker"))
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            try peer.send(.connack(.v5, code: code))
            _ = peer.readToEnd()
        }
    }

    @Test func aSilentPortIsUnreachable() async throws {
        let port = try freePort()
        let error = await #expect(throws: FleetError.self) {
            try await withFleet(
                DeviceCounts(sweepers: 1), on: "mqtt://127.0.0.1:\(port)",
                startLimit: .milliseconds(100)
            ) { running in for await _ in running.notices {} }
        }
        #expect(error?.code == .brokerUnreachable)
        #expect(error?.message.contains("127.0.0.1:\(port)") == true)
    }

    @Test func aRunThatEndsBeforeAnyAnswerNeverReachedItsBroker() async throws {
        try await withFakeBroker { broker in
            let error = await #expect(throws: FleetError.self) {
                try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) { _ in
                    await broker.signalled()
                }
            }
            #expect(error?.code == .brokerUnreachable)
            #expect(error?.message.contains("no answer before the end of the run") == true)
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            broker.signal()
            _ = peer.readToEnd()
        }
    }

    /// A server of another protocol may close one connection after an answer, and the next one without.
    @Test func aServerOfAnotherProtocolIsNoBroker() async throws {
        try await withFakeBroker { broker in
            let error = await #expect(throws: FleetError.self) {
                try await withFleet(
                    DeviceCounts(sweepers: 1), on: broker.url, reconnect: .fixed(.milliseconds(1))
                ) { _ in await broker.signalled() }
            }
            #expect(error?.code == .brokerUnreachable)
            let message = error?.message ?? ""
            #expect(message.contains("what answers there is no MQTT broker"), "\(message)")
        } broker: { broker in
            for answer in ["HTTP/1.1 400 Bad Request\r\n\r\n", ""] {
                let peer = try broker.accept()
                _ = try peer.readConnect()
                try peer.send(bytes: Array(answer.utf8))
                peer.cut()
            }
            let last = try broker.accept()
            broker.signal()
            _ = last.readToEnd()
        }
    }

    /// A broker of MQTT 3.1.1 has one code for a failure that passes and for what it forbids.
    @Test(arguments: [1, 6]) func aSubscriptionThatFailsForAMomentIsTriedAgain(
        refusedPackets: Int
    ) async throws {
        try await withFakeBroker { broker in
            try await withFleet(
                DeviceCounts(sweepers: 1), on: broker.url, version: .v311,
                reconnect: .fixed(.milliseconds(1))
            ) { running in
                if refusedPackets > 1 {
                    let text = try await running.notice(
                        beginning: "home-1/sweeper-1: the broker does not allow it to subscribe")
                    #expect(text.contains("or its access control forbids it; tried again"))
                }
                try await running.notice(beginning: "ready")
                #expect(await running.fleet.snapshot().isReady)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            // A device needs two packets for its subscriptions.
            var left = refusedPackets
            while let packet = try? peer.read() {
                if packet.kind == .subscribe { left -= 1 }
                try? peer.answer(packet, left < 0 ? 1 : 0x80)
            }
        }
    }

    @Test func aDeniedSubscriptionIsReported() async throws {
        try await withFakeBroker { broker in
            try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) { running in
                try await running.notice(
                    beginning: "home-1/sweeper-1: the broker does not allow it to subscribe")
                #expect(await !running.fleet.snapshot().isReady)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            peer.answerToEnd(subscriptionCode: 0x87)
        }
    }
}
