extension MQTTError {
    /// The client has no connection now.
    static let notConnected = MQTTError(
        .notConnected, "the client is not connected: call connect() or run() first",
        isRetriable: true)
    /// The connection ended because its owner wanted it.
    static let disconnectedByOwner = MQTTError(
        .closed, "the client was disconnected by its owner: call connect() or run()")
    /// A request over MQTT 3.1.1.
    static let requestsNeedVersion5 = MQTTError(
        .unsupported,
        "requests need the response topic and correlation data of MQTT 5, and this client speaks "
            + "3.1.1: set the configuration's version to .v5, or publish and subscribe to answers "
            + "that your payloads identify")

    /// No attempt to connect has succeeded or failed in time.
    static func notAccepted(by broker: MQTTBrokerAddress, within time: Duration) -> MQTTError {
        MQTTError(
            .connectTimeout,
            "\(broker) did not accept within \(time): check that a broker listens there",
            isRetriable: true)
    }

    /// The broker has refused a filter.
    static func refused(_ filter: MQTTTopicFilter, _ reason: MQTTReasonCode) -> MQTTError {
        MQTTError(
            .subscriptionRefused,
            "the broker refused the subscription to \(filter): \(reason); \(reason.advice)",
            reasonCode: reason)
    }

    // MARK: Requests

    /// The broker reports that nobody subscribes to the topic of a request.
    static func noResponder(_ topic: MQTTTopic) -> MQTTError {
        MQTTError(
            .noResponder,
            "nobody subscribes to \(topic), so nobody will answer: start the responder and try again",
            reasonCode: .noMatchingSubscribers, isRetriable: true)
    }

    /// The broker has refused a request.
    static func publishRefused(_ topic: MQTTTopic, _ reason: MQTTReasonCode) -> MQTTError {
        MQTTError(
            .publishRefused,
            "the broker refused the message on \(topic): \(reason); \(reason.advice)",
            reasonCode: reason)
    }

    /// A request has had no response in time.
    static func noAnswer(on topic: MQTTTopic, within deadline: Duration) -> MQTTError {
        MQTTError(
            .deadlineExceeded,
            "no answer to the request on \(topic) came within \(deadline): check that somebody answers "
                + "there, or allow more time; whether the request was carried out is not known",
            isRetriable: true)
    }

    /// For requests that waited for the subscription to their responses: even if its state is unknown, they
    /// were not sent.
    var beforeTheRequest: MQTTError {
        guard code == .connectionLost else { return self }
        var error = self
        error.code = isRetriable ? .notConnected : .closed
        return error
    }

    /// For requests that the broker has accepted, when the client ends.
    var afterTheRequest: MQTTError {
        MQTTError(
            .connectionLost, "the connection ended before the answer came: \(message)",
            isRetriable: false)
    }
}
