import Basics
import TestSupport

@testable import MQTTClient

/// A resolver that answers when the test says so.
final class ScriptedResolver: Sendable {
    typealias Answer = @Sendable (Result<[String], MQTTError>) -> Void

    private let answers = Guarded<[String: Answer]>([:])
    private let questions: AsyncStream<String>
    private let sink: AsyncStream<String>.Continuation

    init() {
        (questions, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(100))
    }

    /// The next host to be looked up.
    func question() async -> String? {
        for await host in questions { return host }
        return nil
    }

    func answer(_ host: String, _ result: Result<[String], MQTTError>) {
        let answer = answers.withLock { $0.removeValue(forKey: host) }
        answer?(result)
    }

    fileprivate func ask(_ host: String, _ answer: @escaping Answer) {
        answers.withLock { $0[host] = answer }
        sink.yield(host)
    }
}

extension TestOwner {
    /// Makes the loop of this owner use the test's resolver.
    func use(_ resolver: ScriptedResolver) {
        loop.core.lookups.find = { resolver.ask($0, $1) }
    }
}

extension MQTTConfiguration {
    /// Brokers that have names, the time for finding their addresses, and hardly a pause between attempts.
    static func names(_ hosts: [String]) throws -> MQTTConfiguration {
        var configuration = try MQTTConfiguration.test(1_883)
        let brokers = try hosts.map { try MQTTBrokerAddress(host: $0) }
        configuration.broker = brokers[0]
        configuration.fallbackBrokers = Array(brokers.dropFirst())
        configuration.connectTimeout = .milliseconds(200)
        configuration.reconnect = MQTTReconnectPolicy(initial: .milliseconds(1))
        return configuration
    }
}
