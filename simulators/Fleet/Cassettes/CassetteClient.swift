import MQTTClient

/// A connection for cassettes: a client of its own beside the devices.
package struct CassetteClient: Sendable {
    private let broker: FleetBroker
    private let version: FleetProtocolVersion

    package init(broker: FleetBroker, version: FleetProtocolVersion) {
        self.broker = broker
        self.version = version
    }

    /// Connects, and stays connected while `body` runs.
    /// - Throws: ``FleetError``, `brokerUnreachable` where there is no usable connection; and what `body` throws.
    func connected<Value: Sendable>(
        as word: String, _ body: (MQTTClient) async throws -> Value
    ) async throws -> Value {
        let configuration = try configuration(as: word)
        let eventLoop: MQTTEventLoop
        do throws(MQTTError) {
            eventLoop = try MQTTEventLoop(label: word)
        } catch { throw FleetError(.internal, error.message) }
        let client = MQTTClient(configuration: configuration, eventLoop: eventLoop)
        do throws(MQTTError) {
            try await client.connect()
        } catch {
            await client.disconnect()
            await eventLoop.shutdown()
            throw FleetError(.brokerUnreachable, "cannot use \(broker): \(error.message)")
        }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(client))
        } catch { result = .failure(error) }
        await client.disconnect()
        await eventLoop.shutdown()
        return try result.get()
    }

    private func configuration(as word: String) throws(FleetError) -> MQTTConfiguration {
        do throws(MQTTError) {
            let number = UInt64.random(in: 0 ... .max)
            var configuration = MQTTConfiguration(
                broker: broker.address, security: try broker.securityOfAClient(),
                clientID: try MQTTClientID("homeport-\(word)-\(number)"), version: version.mqtt,
                credentials: broker.commonCredentials)
            configuration.isClientIDUnique = true
            configuration.locator = broker.locator
            return configuration
        } catch { throw FleetError(.unusableOption, error.message) }
    }
}

extension FleetBroker {
    /// How a client connects that is no device.
    /// - Throws: an error where each device presents a certificate of its own.
    fileprivate func securityOfAClient() throws(MQTTError) -> MQTTSecurity {
        guard address.usesTLS else { return .plaintextAnywhere }
        guard let configuration = identity.common else {
            throw MQTTError(
                .invalidArgument,
                "--identities has certificates of devices: name one for this with --cert-file")
        }
        return .tls(configuration)
    }
}
