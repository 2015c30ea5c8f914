import Glibc
import TestSupport
import Testing

@testable import MQTTClient

/// A connection that breaks, in every state and both ways, and every reason a broker can give.
@Suite(.timeLimit(.minutes(1)))
struct BrokenConnectionTests {
    /// How far a connection had come.
    enum Stage: String, CaseIterable, Sendable {
        case accepted, connectRead, halfAConnack, connected, subscribing, publishing, halfAPublish

        var isBehindConnack: Bool {
            switch self {
            case .accepted, .connectRead, .halfAConnack: false
            case .connected, .subscribing, .publishing, .halfAPublish: true
            }
        }
    }

    @Test(arguments: Stage.allCases, [true, false])
    func everyBreakIsToldOnceAndFollowedByAReturn(stage: Stage, isReset: Bool) async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port)
                configuration.reconnect.initial = .milliseconds(1)
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(configuration)
                if stage.isBehindConnack { _ = try await events.connected() }
                async let outcome = owner.work(of: stage)
                let (error, delay) = try await events.disconnected()
                #expect(error.code == .connectionLost, "\(error)")
                #expect(delay != nil)
                let code = try await outcome
                #expect(code == (stage.hasWork ? .connectionLost : nil))
                _ = try await events.connected()
            }
        } broker: { broker in
            let peer = try broker.accept()
            try Self.come(to: stage, on: peer)
            if isReset { peer.reset() } else { peer.cut() }
            _ = try broker.acceptConnected().readToEnd()
        }
    }

    private static func come(to stage: Stage, on peer: FakeBrokerPeer) throws {
        guard stage != .accepted else { return }
        _ = try peer.readConnect()
        switch stage {
        case .accepted, .connectRead: return
        case .halfAConnack: return try peer.send(bytes: [0x20, 0x03, 0x00])
        case .connected, .subscribing, .publishing, .halfAPublish:
            try peer.send(.connack(peer.version))
        }
        switch stage {
        case .subscribing: _ = try peer.read(.subscribe)
        case .publishing: _ = try peer.read(.publish)
        case .halfAPublish: try peer.send(bytes: [0x30, 0x10, 0x00, 0x05, 0x61])
        case .accepted, .connectRead, .halfAConnack, .connected: break
        }
    }

    @Test(arguments: [true, false])
    func aBreakWhileDrainingEndsTheDrain(isReset: Bool) async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, _ in
                let report = await owner.publishAndClose([try .test("a"), try .test("b")])
                #expect(report.undelivered == 2)
                #expect(!report.isDisconnectSent)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            _ = try peer.read(.publish)
            _ = try peer.read(.publish)
            if isReset { peer.reset() } else { peer.cut() }
        }
    }

    @Test(arguments: [true, false])
    func aBreakDuringTheTLSHandshakeIsFollowedByAReturn(isReset: Bool) async throws {
        let certificates = try await TestCertificates.made()
        try await withFakeBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.tls(broker.port, certificates)
                configuration.reconnect = MQTTReconnectPolicy(initial: .milliseconds(1))
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(configuration)
                for _ in 0..<2 {
                    let (error, delay) = try await events.disconnected()
                    #expect(error.code == .connectionLost, "\(error)")
                    #expect(delay != nil)
                }
                await owner.drop()
            }
        } broker: { broker in
            try broker.serve { peer in
                _ = try peer.read(bytes: 5)
                if isReset { peer.reset() } else { peer.cut() }
            }
        }
    }

    @Test func aServerOfAnotherProtocolIsNamedAsAPossibleCause() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(try MQTTConfiguration.test(broker.port))
                let (error, _) = try await events.disconnected()
                #expect(error.message.contains("what answers there is no MQTT broker"), "\(error)")
                await owner.drop()
            }
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            try peer.send(bytes: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
            peer.cut()
        }
    }

    @Test(arguments: [MQTTProtocolVersion.v5, .v3_1_1])
    func aBrokerThatClosesWithoutAnswerIsSuspectedOfAnOldVersion(
        version: MQTTProtocolVersion
    ) async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                var configuration = try MQTTConfiguration.test(broker.port)
                configuration.version = version
                await owner.connect(configuration)
                let (error, _) = try await events.disconnected()
                let isSuspected = error.message.contains("connect with MQTT 3.1.1")
                #expect(isSuspected == (version == .v5), "\(error)")
                await owner.drop()
            }
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            peer.cut()
        }
    }

    // MARK: Reasons

    @Test(arguments: UInt8(0x80)...0xA2)
    func everyReasonOfADisconnectArrives(reason: UInt8) async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, events in
                let (error, delay) = try await events.disconnected()
                #expect(error.reasonCode?.rawValue == reason)
                #expect((delay == nil) == (MQTTDisconnectCause(error) == .final))
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.disconnect(reason))
            _ = peer.readToEnd()
        }
    }

    /// A busy publisher is writing when the broker sends the reason and closes the connection.
    @Test(arguments: [true, false])
    func aReasonArrivesThoughWritingFails(isBatching: Bool) async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { owner, events in
                await owner.setBatching(isBatching)
                try await owner.publish(
                    [.test("a"), .test("b", qos: .atMostOnce)], onceHungUp: broker.proceed)
                #expect(try await events.disconnected().error.code == .sessionTakenOver)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try broker.awaitProceed()
            try peer.send(.disconnect(0x8E))
            peer.reset()
        }
    }

    @Test(arguments: UInt8(0x80)...0x9F)
    func everyReasonOfARefusalArrives(reason: UInt8) async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                var events = owner.events.makeAsyncIterator()
                await owner.connect(try .test(broker.port))
                let (error, delay) = try await events.disconnected()
                #expect(error.code == .connectionRefused)
                #expect(error.reasonCode?.rawValue == reason)
                #expect((delay == nil) == (MQTTDisconnectCause(error) == .final))
            }
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            try peer.send(.connack(.v5, code: reason))
            _ = peer.readToEnd()
        }
    }
}

extension BrokenConnectionTests.Stage {
    /// Whether something waits for an answer when the connection breaks.
    fileprivate var hasWork: Bool { self == .subscribing || self == .publishing }
}

extension TestOwner {
    /// Makes the call of the stage, and returns its error.
    fileprivate func work(of stage: BrokenConnectionTests.Stage) async throws -> MQTTError.Code? {
        let error: MQTTError?
        switch stage {
        case .subscribing:
            if case .failure(let failure) = await subscribe([try .test("a")]) {
                error = failure
            } else {
                error = nil
            }
        case .publishing:
            if case .failure(let failure) = await publish(try .test("a")) {
                error = failure
            } else {
                error = nil
            }
        case .accepted, .connectRead, .halfAConnack, .connected, .halfAPublish: error = nil
        }
        return error?.code
    }
}

extension TestOwner {
    /// Has the peer hang up, and publishes before the loop can notice.
    fileprivate func publish(_ messages: [MQTTMessage], onceHungUp hangUp: () -> Void) throws {
        let driver = try #require(loop.core.connections.drivers.first)
        let socket = try #require(driver.socket.handle?.socket)
        hangUp()
        try becomeReady(socket, for: POLLHUP)
        for message in messages { publish(message) { _ in } }
    }
}
