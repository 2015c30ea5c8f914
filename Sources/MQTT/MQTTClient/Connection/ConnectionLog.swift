internal import Logging

/// What a connection logs.
struct ConnectionLog {
    /// The logger of the loop.
    let logger: Logger
    /// The client id of the connection.
    let clientID: MQTTClientID

    /// The broker accepted the connection.
    func connected() {
        logger.debug("connected", metadata: [LogKey.clientID: "\(clientID)"])
    }

    /// A connection or an attempt failed. `delay` is the time until the next attempt; nil if there will be none.
    func failed(_ error: MQTTError, retryIn delay: Duration?, at broker: MQTTBrokerAddress) {
        let common: Logger.Metadata = [
            LogKey.clientID: "\(clientID)", LogKey.error: "\(error)",
        ]
        if let delay {
            logger.debug(
                "connection failed",
                metadata: common.merging([LogKey.retryIn: "\(delay)"]) { $1 })
        } else {
            logger.debug(
                "connection failed for good",
                metadata: common.merging([LogKey.broker: "\(broker)"]) { $1 })
        }
    }

    /// The broker sent a message larger than the configuration allows.
    func dropped(_ message: MQTTSkippedMessage) {
        logger.warning(
            "dropped a message larger than maximumPacketSize",
            metadata: [
                LogKey.clientID: "\(clientID)", LogKey.topic: "\(message.topic)",
                LogKey.size: "\(message.size)",
            ])
    }

    /// The broker sent a message whose topic no message may have.
    func droppedUnusableTopic() {
        logger.debug(
            "dropped a message whose topic contains wildcards",
            metadata: [LogKey.clientID: "\(clientID)"])
    }
}
