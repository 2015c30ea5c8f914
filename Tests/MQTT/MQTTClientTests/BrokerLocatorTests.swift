import Basics
import TestSupport
import Testing

@testable import MQTTClient

/// A connection whose broker is found anew before each attempt.
@Suite(.timeLimit(.minutes(1)))
struct BrokerLocatorTests {
    /// Nothing may reach a listener that the locator does not confirm on the accepted connection.
    @Test func nothingIsWrittenToABrokerThatIsNotConfirmed() async throws {
        try await withFakeBroker { broker in
            let locator = try ScriptedLocator(broker.port)
            locator.set(refusal: MQTTError(.unreachable, "it has ended", isRetriable: true))
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                await owner.connect(try .located(by: locator))
                var events = owner.events.makeAsyncIterator()
                let (error, delay) = try await events.disconnected()
                #expect(error.message == "it has ended")
                #expect(delay != nil)
                await owner.close()
            }
        } broker: { broker in
            let peer = try broker.accept()
            let kinds = peer.readToEnd()
            #expect(kinds.isEmpty, "a client that must not speak sent \(kinds)")
        }
    }

    @Test func addressAndCredentialsAreAskedForBeforeEachAttempt() async throws {
        try await withBroker { first in
            try await withFakeBroker { second in
                let locator = try ScriptedLocator(first.port)
                try await withLoop { loop in
                    let owner = TestOwner(on: loop)
                    await owner.connect(try .located(by: locator))
                    var events = owner.events.makeAsyncIterator()
                    _ = try await events.connected()
                    try locator.move(to: second.port, password: "new")
                    await first.kill()
                    let info = try await events.nextConnection()
                    #expect(info.broker.port == second.port)
                    await owner.close()
                }
            } broker: { broker in
                let peer = try broker.accept()
                let connect = try peer.readConnect()
                #expect(connect.password == Array("new".utf8))
                try peer.send(.connack(peer.version))
            }
        }
    }

    @Test func anAttemptWithoutALocationFailsAndIsTriedAgain() async throws {
        try await withBroker { broker in
            let locator = try ScriptedLocator(broker.port)
            locator.set(absence: MQTTError(.unreachable, "nobody runs", isRetriable: true))
            try await withLoop { loop in
                let owner = TestOwner(on: loop)
                await owner.connect(try .located(by: locator))
                var events = owner.events.makeAsyncIterator()
                #expect(try await events.disconnected().error.message == "nobody runs")
                locator.set(absence: nil)
                _ = try await events.nextConnection()
                await owner.close()
            }
        }
    }
}

extension MQTTConfiguration {
    fileprivate static func located(by locator: ScriptedLocator) throws -> MQTTConfiguration {
        // The address that was configured is a port where nobody listens.
        var configuration = try MQTTConfiguration.test(1)
        configuration.locator = locator
        configuration.reconnect = MQTTReconnectPolicy(
            initial: .milliseconds(20), spread: .zero, cap: .milliseconds(50))
        return configuration
    }
}

extension AsyncStream.Iterator where Element == MQTTConnectionEvent {
    /// The next connection, after however many failed attempts.
    fileprivate mutating func nextConnection() async throws -> MQTTConnectionInfo {
        while let event = await next(isolation: #isolation) {
            if case .connected(let info) = event { return info }
        }
        throw TestSupportError("never connected")
    }
}

/// A locator that says what a test has set.
private final class ScriptedLocator: MQTTBrokerLocator {
    private struct State {
        var location: MQTTBrokerLocation
        var absence: MQTTError?
        var refusal: MQTTError?
    }

    private let state: Guarded<State>

    init(_ port: UInt16) throws {
        let broker = try MQTTBrokerAddress(host: "127.0.0.1", port: port)
        state = Guarded(State(location: MQTTBrokerLocation(broker)))
    }

    var latest: MQTTBrokerAddress { state.withLock { $0.location.broker } }
    var followsMeetingPoint: Bool { false }
    var privateBrokers: [MQTTBrokerAddress] { [] }

    func move(to port: UInt16, password: String) throws {
        let broker = try MQTTBrokerAddress(host: "127.0.0.1", port: port)
        let credentials = try MQTTCredentials(username: "u", password: password)
        state.withLock { $0.location = MQTTBrokerLocation(broker, credentials: credentials) }
    }

    func set(absence: MQTTError?) { state.withLock { $0.absence = absence } }
    func set(refusal: MQTTError?) { state.withLock { $0.refusal = refusal } }

    func location() throws(MQTTError) -> MQTTBrokerLocation {
        let now = state.withLock { $0 }
        if let absence = now.absence { throw absence }
        return now.location
    }

    func confirm(_ location: MQTTBrokerLocation) throws(MQTTError) {
        if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    }
}
