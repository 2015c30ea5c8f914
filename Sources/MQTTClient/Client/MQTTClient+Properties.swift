/// Calls that carry MQTT 5 properties besides those of a message.
extension MQTTClient {
    /// As ``publish(_:)``, with what else the broker says in its acknowledgement.
    public func publishForAcknowledgement(
        _ message: MQTTMessage
    ) async throws(MQTTError) -> MQTTAcknowledgement {
        guard let connection else { throw notTaken() }
        let message = message.carryingCurrentContext(configuration.version)
        let number = nextNumber()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                acknowledging.insert(continuation, as: number)
                connection.publish(
                    message,
                    acknowledgement: { [self] in
                        acknowledging.resume(number, with: $0)
                    })
            }
        } onCancel: {
            self.onLoop { $0.acknowledging.resume(number, with: .failure(.waitCancelled)) }
        }
        return try result.get()
    }

    /// As ``disconnect(drainingFor:)``, with a DISCONNECT that says more.
    @discardableResult
    public func disconnect(
        drainingFor limit: Duration = drainTime, saying farewell: MQTTDisconnectProperties
    ) async -> MQTTDrainReport {
        connection?.farewell = farewell
        return await disconnect(drainingFor: limit)
    }
}
