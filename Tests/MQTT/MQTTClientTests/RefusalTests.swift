import MQTTClient
import TestSupport
import Testing

/// Connections that the broker refuses or ends.
@Suite(.timeLimit(.minutes(1)))
struct RefusalTests {
    @Test(arguments: [
        (UInt8(1), MQTTReasonCode.unsupportedProtocolVersion, true),
        (2, .clientIdentifierNotValid, true), (3, .serverUnavailable, false),
        (4, .badUserNameOrPassword, true), (5, .notAuthorized, true),
    ])
    func refusalsOfVersion3(code: UInt8, reason: MQTTReasonCode, isFinal: Bool) async throws {
        try await refuse(.v3_1_1, code, reason, isFinal)
    }

    @Test(arguments: [
        (UInt8(0x84), true), (0x85, true), (0x86, true), (0x87, true), (0x88, false),
        (0x89, false), (0x8A, true), (0x8C, true), (0x97, false), (0x9C, true), (0x9F, false),
    ])
    func refusalsOfVersion5(code: UInt8, isFinal: Bool) async throws {
        try await refuse(.v5, code, MQTTReasonCode(rawValue: code), isFinal)
    }

    private func refuse(
        _ version: MQTTProtocolVersion, _ code: UInt8, _ reason: MQTTReasonCode, _ isFinal: Bool
    ) async throws {
        try await withFakeBroker { broker in
            let (error, delay) = try await firstFailure(of: .test(broker.port, version: version))
            #expect(error.code == .connectionRefused)
            #expect(error.reasonCode == reason)
            #expect((delay == nil) == isFinal)
            #expect(error.isRetriable == !isFinal)
        } broker: { broker in
            let peer = try broker.accept()
            _ = try peer.readConnect()
            try peer.send(.connack(peer.version, code: code))
            _ = peer.readToEnd()
        }
    }

    @Test func silenceInsteadOfConnackEndsAtTheDeadline() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port)
                configuration.connectTimeout = .milliseconds(200)
                let owner = TestOwner(on: loop)
                let elapsed = try await ContinuousClock().measure {
                    await owner.connect(configuration)
                    var events = owner.events.makeAsyncIterator()
                    let (error, delay) = try await events.disconnected()
                    #expect(error.code == .connectTimeout)
                    #expect(delay != nil)
                }
                #expect(elapsed >= .milliseconds(200))
            }
        } broker: { broker in
            let peer = try broker.accept()
            _ = peer.readToEnd()
        }
    }

    @Test func nobodyListening() async throws {
        let (error, delay) = try await firstFailure(of: .test(freePort()))
        #expect(error.code == .unreachable)
        #expect(delay != nil)
    }

    @Test func unknownHostsAreLookedUpOffTheLoop() async throws {
        var configuration = try MQTTConfiguration.test(1_883)
        configuration.broker = try MQTTBrokerAddress(host: "no-such-host.invalid")
        let (error, delay) = try await firstFailure(of: configuration)
        #expect(error.code == .nameResolutionFailed)
        #expect(delay != nil)
    }

    @Test(arguments: [
        (UInt8(0x8B), MQTTError.Code.serverDisconnected, false),
        (0x8E, .sessionTakenOver, true), (0x89, .serverDisconnected, false),
        (0x98, .serverDisconnected, false), (0x9D, .serverDisconnected, true),
    ])
    func serverDisconnects(reason: UInt8, code: MQTTError.Code, isFinal: Bool) async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, events in
                let (error, delay) = try await events.disconnected()
                #expect(error.code == code)
                #expect(error.reasonCode?.rawValue == reason)
                #expect((delay == nil) == isFinal)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.disconnect(reason))
            _ = peer.readToEnd()
        }
    }

    @Test func closesSecondsAfterConnackAreReportedAsDuplicateClientID() async throws {
        try await withFakeBroker { broker in
            try await withLoop { loop in
                var configuration = try MQTTConfiguration.test(broker.port, id: "twin")
                configuration.reconnect.initial = .milliseconds(1)
                let owner = TestOwner(on: loop)
                await owner.connect(configuration)
                var events = owner.events.makeAsyncIterator()
                var errors: [MQTTError] = []
                var delays: [Duration] = []
                for _ in 0..<3 {
                    _ = try await events.connected()
                    let (error, delay) = try await events.disconnected()
                    errors.append(error)
                    delays.append(try #require(delay))
                }
                #expect(
                    errors.map(\.code) == [
                        .connectionLost, .connectionLost, .likelyDuplicateClientID,
                    ])
                #expect(errors[2].message.contains("twin"))
                #expect(delays[2] >= .seconds(5))
            }
        } broker: { broker in
            for round in 0..<3 {
                let peer = try broker.acceptConnected()
                if round == 1 { peer.reset() } else { peer.cut() }
            }
        }
    }

    @Test func aSecondConnackIsAProtocolViolation() async throws {
        try await withFakeBroker { broker in
            try await withConnectedOwner(broker) { _, events in
                let (error, _) = try await events.disconnected()
                #expect(error.code == .protocolViolation)
            }
        } broker: { broker in
            let peer = try broker.acceptConnected()
            try peer.send(.connack(.v5))
            _ = peer.readToEnd()
        }
    }
}
