import Glibc
import Homeport

extension BrokerAdministration {
    /// How long the broker may take.
    private static let limit = Duration.seconds(10)

    /// Publishes the command.
    /// - Returns: why that was not possible; `nil` if it was.
    func carryOut() async -> CommandLineError? {
        let eventLoop: MQTTEventLoop
        do {
            eventLoop = try MQTTEventLoop()
        } catch {
            return Self.failure(error.message)
        }
        let failure: CommandLineError?
        do {
            let reason = try await publish(on: eventLoop)
            failure = reason.isError ? Self.failure("the broker answers \(reason)") : nil
        } catch {
            failure = Self.failure((error as? MQTTError)?.message ?? "\(error)")
        }
        await eventLoop.shutdown()
        return failure
    }

    private func publish(on eventLoop: MQTTEventLoop) async throws -> MQTTReasonCode {
        let configuration = MQTTConfiguration(
            broker: try MQTTBrokerAddress(url: url),
            security: .tls(
                MQTTTLSConfiguration(
                    authorityFile: authorityFile, certificateFile: certificateFile,
                    keyFile: keyFile)),
            clientID: try MQTTClientID("homeport-identity-\(getpid())"),
            connectTimeout: Self.limit, reconnect: .never)
        let message = MQTTMessage(
            topic: try MQTTTopic(topic), payload: payload, qos: .atLeastOnce)
        return try await MQTTClient.withConnection(
            configuration: configuration, eventLoop: eventLoop
        ) { try await $0.publish(message) }
    }

    private static func failure(_ reason: String) -> CommandLineError {
        CommandLineError(
            .noConnection,
            "the certificates are revoked and the broker was told to read the list, but connections that "
                + "are open could not be ended: \(reason)")
    }
}
