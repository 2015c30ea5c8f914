/// Calls with MQTT 5 properties besides those of a message.
extension MQTTClient {
    /// As ``publish(_:)``, and returns the broker's full acknowledgement.
    public func publishForAcknowledgement(
        _ message: MQTTMessage
    ) async throws(MQTTError) -> MQTTAcknowledgement {
        guard let connection else { throw notTaken() }
        let message = message.carryingCurrentContext(configuration.version)
        return try await acknowledgement { connection.publish(message, acknowledgement: $0) }
    }

    /// As ``disconnect(drainingFor:)``, with properties in the DISCONNECT.
    @discardableResult
    public func disconnect(
        drainingFor limit: Duration = drainTime, properties: MQTTDisconnectProperties
    ) async -> MQTTDrainReport {
        connection?.disconnectProperties = properties
        return await disconnect(drainingFor: limit)
    }
}
