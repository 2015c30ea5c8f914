import Logging
import MQTTClient
import ServiceLifecycle
import UnixSignals

/// The code in the landing page and in Sessions, run by ``SampleRunTests``.
enum FirstStepsSamples {
    static func firstSteps(url: String) async throws -> String {
        // sample: first steps
        let eventLoop = try MQTTEventLoop()
        let configuration = try MQTTConfiguration(
            broker: MQTTBrokerAddress(url: url), clientID: MQTTClientID("thermostat-7"))

        let answer = try await MQTTClient.withConnection(
            configuration: configuration, eventLoop: eventLoop
        ) { client in
            let settings = try await client.subscribe(
                to: [MQTTSubscriptionRequest(MQTTTopicFilter("thermostat/7/#"))])
            try await client.publish(
                MQTTMessage(topic: MQTTTopic("thermostat/7/target"), payload: Array("21.5".utf8)))
            var messages = settings.makeAsyncIterator()
            return try await messages.next()
        }
        await eventLoop.shutdown()
        // end sample
        return String(decoding: answer?.payload ?? [], as: UTF8.self)
    }

    static func secured(
        url: String, authorityFile: String, credentialsFile: String
    ) throws -> MQTTConfiguration {
        // sample: TLS and a password
        let configuration = try MQTTConfiguration(
            broker: MQTTBrokerAddress(url: url),
            security: .tls(MQTTTLSConfiguration(authorityFile: authorityFile)),
            clientID: MQTTClientID("thermostat-7"),
            credentials: MQTTCredentials(contentsOfFile: credentialsFile))
        // end sample
        return configuration
    }

    static func service(_ configuration: MQTTConfiguration, logger: Logger) async throws {
        // sample: service
        let eventLoop = try MQTTEventLoop()
        let client = MQTTClient(configuration: configuration, eventLoop: eventLoop, logger: logger)
        let group = ServiceGroup(
            services: [client], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await group.run()
        await eventLoop.shutdown()
        // end sample
    }

    static func keptSession(_ configuration: MQTTConfiguration) -> MQTTConfiguration {
        // sample: kept session
        var configuration = configuration
        configuration.cleanStart = false
        configuration.sessionExpiry = .seconds(3_600)
        // end sample
        return configuration
    }

    static func states(_ client: MQTTClient, show: (String) -> Void) async {
        // sample: connection states
        for await state in client.connectionEvents {
            switch state {
            case .connecting: show("connecting")
            case .connected(let info): show("connected to \(info.address)")
            case .disconnected(let error, let delay?): show("\(error); again in \(delay)")
            case .disconnected(let error, nil): return show("\(error); giving up")
            case .closing: show("finishing")
            case .closed: show("closed")
            }
        }
        // end sample
    }
}
