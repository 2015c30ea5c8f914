import Glibc
import TestSupport
import Testing

@testable import MQTTClient

/// Traps of the wrapped library that no other suite covers; docs/mqtt-traps.md lists them all.
@Suite(.timeLimit(.minutes(1)))
struct LibraryTrapTests {
    // MARK: Callbacks

    /// The library itself completes QoS 0 before it has returned the packet identifier.
    @Test(arguments: MQTTQoS.allCases)
    func completionsNeverComeFromInsideTheCall(qos: MQTTQoS) async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let owner = try await connectedHouse(on: loop, .test(broker.port))
                #expect(await owner.completesLater(try .test("a", qos: qos)))
            }
        }
    }

    /// The library alone deadlocks when it is called from its callbacks.
    @Test func handlersMayUseTheirConnection() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let owner = try await connectedHouse(on: loop, .test(broker.port))
                _ = try await owner.subscribe([.test("in/#")]).get()
                let report = try await owner.answerFromHandlers(
                    first: try .test("in/1"), second: try .test("in/2", qos: .atMostOnce),
                    filter: try .test("in/3"))
                #expect(report.isDisconnectSent && report.undelivered == 0)
            }
        }
    }

    // MARK: Sockets

    /// The library's own loops fail from descriptor 1,024 on.
    @Test func descriptorsAbove1023Work() async throws {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let kept = (0..<1_100).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
            #expect(kept.allSatisfy { $0 >= 0 })
            try await withFakeBroker { broker in
                try await withConnectedOwner(broker) { owner, _ in
                    let reason = try await owner.publish(.test("a")).get()
                    #expect(reason == .success)
                }
            } broker: { broker in
                let peer = try broker.acceptConnected()
                try peer.send(.puback(peer.read(.publish).publishIdentifier))
                _ = peer.readToEnd()
            }
        }
    }

    /// Each packet is a write of its own: with Nagle's algorithm an exchange takes 40 ms.
    @Test func socketsSendAtOnce() async throws {
        await #expect(processExitsWith: .success) {
            try await withBroker { broker in
                try await withLoop { loop in
                    let owner = try await connectedHouse(on: loop, .test(broker.port))
                    let options = (Int32(0)..<4_096).compactMap { descriptor -> Int32? in
                        // The process may have inherited a connection of the one that started it.
                        guard peerPort(of: descriptor) == broker.port else { return nil }
                        var noDelay: Int32 = 0
                        var size = socklen_t(MemoryLayout<Int32>.size)
                        getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, &size)
                        return noDelay
                    }
                    #expect(options == [1])
                    await owner.close()
                }
            }
        }
    }

    /// The library reads one packet per call, whatever its argument says.
    @Test func manyPacketsInOneSegmentAllArrive() async throws {
        let count = 500
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, events in
                for number in 0..<count {
                    let message = try await events.message()
                    #expect(message.payload == Array("\(number)".utf8))
                }
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            let packets = (0..<count).map { number in
                FakeBrokerPacket.publish(.v5, topic: "a", payload: Array("\(number)".utf8))
            }
            try peer.send(bytes: packets.flatMap(\.bytes))
            _ = peer.readToEnd()
        }
    }

    // MARK: Publishing

    /// The library alone keeps what is published without a connection, and sends it later with DUP.
    @Test func whatWasRefusedOfflineIsNeverSent() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(try .test(broker.port))
                var connects = broker.signals.makeAsyncIterator()
                _ = await connects.next()
                for qos in MQTTQoS.allCases {
                    let early = try await owner.publish(.test("early", qos: qos))
                    #expect(throws: MQTTError.self) { try early.get() }
                }
                broker.proceed()
                _ = try await events.connected()
                #expect(try await owner.publish(.test("late")).get() == .success)
            }
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            broker.signal()
            try broker.awaitProceed()
            try peer.send(.connack(peer.version))
            let publish = try peer.read(.publish)
            guard publish.topic == "late", !publish.isDuplicate else {
                throw TestSupportError("\(publish.topic) came first")
            }
            try peer.send(.puback(publish.publishIdentifier))
            _ = peer.readToEnd()
        }
    }

    /// The library numbers on without looking which numbers are still in use.
    @Test func aPacketIdentifierInUseEndsTheConnection() {
        var window = MQTTPublishWindow<Int>(limit: 10, maximumMessages: 10, maximumBytes: 10_000)
        let first = window.sent(.atLeastOnce, size: 5, packet: 1, token: 1)
        let second = window.sent(.atLeastOnce, size: 5, packet: 2, token: 2)
        let again = window.sent(.atLeastOnce, size: 5, packet: 1, token: 3)
        #expect(first == nil && second == nil)
        #expect(again == 1)
        #expect(window.removeAll().sent == [3, 2])
    }

    // MARK: Properties

    /// A list that the library received is sent with its first property only.
    @Test func forwardedMessagesKeepTheirProperties() async throws {
        try await withBroker { broker in
            try await withLoop { loop in
                let owner = try await connectedHouse(on: loop, .test(broker.port))
                _ = try await owner.subscribe([.test("in"), .test("out")]).get()
                var message = try MQTTMessage.test("in")
                message.properties = MQTTProperties(
                    contentType: "text/plain", correlationData: [1, 2],
                    userProperties: [.init(name: "a", value: "1"), .init(name: "b", value: "2")])
                _ = try await owner.publish(message).get()
                var received = try await owner.nextMessage()
                received.topic = try MQTTTopic("out")
                _ = try await owner.publish(received).get()
                #expect(try await owner.nextMessage().properties == message.properties)
            }
        }
    }

    // MARK: Packets of the broker

    /// A DISCONNECT without a body means "normal" (MQTT 5, 3.14.2.1); the library calls it a violation.
    @Test func aDisconnectWithoutReasonIsFollowedByAReturn() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, events in
                let (_, delay) = try await events.disconnected()
                #expect(delay != nil)
                _ = try await events.connected()
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            try first.send(FakeBrokerPacket(header: 0xE0, body: []))
            _ = first.readToEnd()
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    /// The library takes the broker's Receive Maximum for its own limit, and more with every PUBACK.
    @Test func noMoreIsInFlightThanTheBrokerTakes() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let results = try await owner.publishTogether((0..<6).map { try .test("a/\($0)") })
                #expect(results.allSatisfy { (try? $0.get()) == .success })
            }
        } broker: { broker in
            let peer = try broker.acceptConnected(properties: [0x21, 0, 2])
            var unacknowledged = [try peer.read(.publish), try peer.read(.publish)]
            for number in 2..<6 {
                guard !peer.hasInput else { throw TestSupportError("three are in flight") }
                try peer.send(.puback(unacknowledged.removeFirst().publishIdentifier))
                let next = try peer.read(.publish)
                guard next.topic == "a/\(number)" else { throw TestSupportError("out of order") }
                unacknowledged.append(next)
            }
            for packet in unacknowledged { try peer.send(.puback(packet.publishIdentifier)) }
            _ = peer.readToEnd()
        }
    }

    /// Version 3.1.1 says success where version 5 says "not authorized".
    @Test(arguments: [
        (MQTTProtocolVersion.v5, MQTTReasonCode.notAuthorized), (.v3_1_1, .success),
    ])
    func deniedPublishesAreTold(version: MQTTProtocolVersion, reason: MQTTReasonCode) async throws {
        let rules = try TemporaryFolder()
        let path = try rules.file("rules", "topic read #\n")
        try await withBroker("acl_file \(path)") { broker in
            try await withLoop { loop in
                let owner = try await connectedHouse(
                    on: loop, .test(broker.port, version: version))
                #expect(try await owner.publish(.test("a")).get() == reason)
            }
        }
    }

    // MARK: TLS

    /// One failed handshake during a reconnect silently ends the library's own loop for good.
    @Test(arguments: ["reset", "close", "wrong-authority"])
    func badHandshakesDoNotEndTheReturn(kind: String) async throws {
        let certificates = try await TestCertificates.made()
        let twice = ["-naccept", "2"]
        try await withTLSPeer(certificates, certificate: "good", options: twice) { good in
            if kind == "wrong-authority" {
                try await withTLSPeer(certificates, certificate: kind) { bad in
                    let error = try await errorBetween(good, bad.port, certificates)
                    #expect(error.code == .tlsFailed, "\(error)")
                }
            } else {
                try await withFakeBroker { bad in
                    let error = try await errorBetween(good, bad.port, certificates)
                    #expect(error.code == .connectionLost, "\(error)")
                } broker: { bad in
                    let peer = try bad.accept()
                    if kind == "reset" { peer.reset() } else { peer.cut() }
                }
            }
        }
    }

    /// Accepted by the good peer, refused by the bad one, accepted again.
    private func errorBetween(
        _ good: TLSPeer, _ bad: UInt16, _ certificates: TestCertificates
    ) async throws -> MQTTError {
        try await withLoop { loop in
            var configuration = try MQTTConfiguration.tls(good.port, certificates)
            configuration.reconnect = MQTTReconnectPolicy(initial: .milliseconds(1))
            configuration.fallbackBrokers = [try .init(host: "127.0.0.1", port: bad)]
            let owner = TestOwner(on: loop)
            var events = owner.events.makeAsyncIterator()
            await owner.connect(configuration)
            #expect(await good.waits(for: connectMark))
            good.send([0x20, 0x03, 0x00, 0x00, 0x00])
            _ = try await events.connected()
            good.send([0xE0, 0x01, 0x8D])
            _ = try await events.disconnected()
            let (error, delay) = try await events.disconnected()
            #expect(delay != nil)
            #expect(await good.waits(for: connectMark, count: 2))
            await owner.drop()
            return error
        }
    }

    // MARK: QoS 2

    /// With a session of its own the library delivers A twice and never B: what it holds of A is given out
    /// for both (eclipse/mosquitto #1450). A handle per attempt has nothing to mix up.
    @Test func messagesOfQoS2AreNotMixedUpAfterAReturn() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) {
                $0.cleanStart = false
                $0.sessionExpiry = .seconds(600)
            } body: { owner, _ in
                let messages = [try await owner.nextMessage(), try await owner.nextMessage()]
                #expect(messages.map(\.payload) == [[0xA], [0xB]])
                var end = broker.signals.makeAsyncIterator()
                #expect(await end.next() != nil)
                #expect(await owner.receivedMessages == 2)
            }
        } broker: { broker in
            let first = try broker.acceptConnected()
            var message = FakeBrokerPacket.publish(
                .v5, topic: "a", payload: [0xA], qos: 2, identifier: 1)
            try first.send(message)
            _ = try first.read(.pubrec)
            first.cut()
            let second = try broker.acceptConnected(sessionPresent: true)
            message.header |= 8
            try second.deliver(message)
            try second.deliver(.publish(.v5, topic: "a", payload: [0xB], qos: 2, identifier: 1))
            broker.signal()
            _ = second.readToEnd()
        }
    }
}

extension FakeBrokerPeer {
    /// The broker's whole part of QoS 2.
    fileprivate func deliver(_ message: FakeBrokerPacket) throws {
        try send(message)
        _ = try read(.pubrec)
        try send(
            FakeBrokerPacket(
                header: 0x62, body: FakeBrokerPacket.short(message.publishIdentifier)))
        _ = try read(.pubcomp)
    }
}

extension TestOwner {
    /// Whether the completion of a publish comes after the call has returned.
    fileprivate func completesLater(_ message: MQTTMessage) async -> Bool {
        let (results, sink) = AsyncStream.makeStream(of: Bool.self)
        let hasReturned = Flag()
        publish(message) { _ in sink.yield(hasReturned.isUp) }
        hasReturned.isUp = true
        for await result in results { return result }
        return false
    }

    /// Publishes, subscribes and closes from inside completions.
    fileprivate func answerFromHandlers(
        first: MQTTMessage, second: MQTTMessage, filter: MQTTSubscriptionRequest
    ) async throws -> MQTTDrainReport {
        try await withCheckedThrowingContinuation { continuation in
            do {
                try with { connection in
                    connection.publish(first) { _ in
                        connection.publish(second) { _ in
                            connection.subscribe([filter]) { _ in
                                connection.publish(first)
                                connection.close(drainingFor: .seconds(5)) {
                                    continuation.resume(returning: $0)
                                }
                            }
                        }
                    }
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }
}

/// Shared by the two sides of a call on one thread.
private final class Flag {
    var isUp = false
}

/// The port of the IPv4 peer of a socket; `nil` where there is none.
private func peerPort(of descriptor: Int32) -> UInt16? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            getpeername(descriptor, $0, &size)
        }
    }
    guard result == 0, address.sin_family == AF_INET else { return nil }
    return UInt16(bigEndian: address.sin_port)
}
