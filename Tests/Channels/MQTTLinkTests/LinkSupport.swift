import MQTTClient
import TestSupport

@testable import MQTTLink

/// Runs `body` with a link to a broker, and takes the link and its loop down afterwards.
func withLink<Value>(
    _ url: String, connectTimeout: Duration = .seconds(10), clock: LoopClock = .system,
    _ body: (MQTTLink) async throws -> Value
) async throws -> Value {
    let configuration = MQTTLinkConfiguration(
        broker: try MQTTBrokerAddress(url: url), clientIDPrefix: "link",
        connectTimeout: connectTimeout,
        reconnect: MQTTReconnectPolicy(initial: .milliseconds(1), cap: .milliseconds(2)))
    let loop = try MQTTEventLoop(label: "link", clock: clock)
    let link = MQTTLink(configuration, on: loop)
    do {
        let value = try await body(link)
        await link.close()
        await loop.shutdown()
        return value
    } catch {
        await link.close()
        await loop.shutdown()
        throw error
    }
}

/// A filter of the tests.
func filter(_ text: String) -> MQTTTopicFilter {
    do { return try MQTTTopicFilter(text) } catch { preconditionFailure("\(error)") }
}

/// A subscription of the tests.
func request(_ text: String) -> MQTTSubscriptionRequest { MQTTSubscriptionRequest(filter(text)) }

/// A message of the tests.
func message(_ topic: String, _ text: String = "", qos: MQTTQoS = .atLeastOnce) -> MQTTMessage {
    do {
        return MQTTMessage(topic: try MQTTTopic(topic), payload: Array(text.utf8), qos: qos)
    } catch {
        preconditionFailure("\(error)")
    }
}

/// The topics of the messages that a link receives.
struct Inbox: Sendable {
    private let topics: AsyncStream<String>

    init(of link: MQTTLink) {
        let (topics, source) = AsyncStream.makeStream(of: String.self)
        self.topics = topics
        link.receive { source.yield($0.topic.rawValue) }
    }

    /// The next topic.
    func next() async -> String? {
        for await topic in topics { return topic }
        return nil
    }
}

extension MQTTLink {
    /// Whether it is connected or tries to be.
    var isActive: Bool { connection != nil }

    /// How the wait for a grant ended.
    func outcome(of subscription: MQTTLinkSubscription) async -> Result<Void, MQTTError> {
        do throws(MQTTError) {
            return .success(try await waitUntilGranted(subscription))
        } catch {
            return .failure(error)
        }
    }

    /// The names of the link's states; the stream ends when the link is closed.
    nonisolated func states() -> AsyncStream<String> {
        let (states, source) = AsyncStream.makeStream(of: String.self)
        observeStates { state in
            guard let state else {
                source.finish()
                return false
            }
            source.yield(state.name)
            return true
        }
        return states
    }

    /// Waits until the link is in a state.
    nonisolated func reached(_ name: String) async throws {
        for await state in states() where state == name { return }
        throw TestSupportError("the link was closed before it was \(name)")
    }
}

extension MQTTLinkState {
    /// A short name of the state.
    var name: String {
        switch self {
        case .connecting: "connecting"
        case .connected: "connected"
        case .limited(let refused):
            "limited " + refused.keys.map(\.rawValue).sorted().joined(separator: " ")
        case .lost(let error, retryIn: nil): "lost for good: \(error.code.rawValue)"
        case .lost(let error, retryIn: _?): "lost: \(error.code.rawValue)"
        }
    }
}
