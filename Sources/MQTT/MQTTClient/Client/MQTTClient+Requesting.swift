internal import Basics

extension MQTTClient {
    /// Publishes a request and waits for its response (MQTT 5, section 4.10).
    ///
    /// The client subscribes to `responseTopic` with the first request that names it, and stays subscribed.
    /// It sets the response topic and correlation data of the request, and lets the request expire at the
    /// deadline unless the request has its own expiry. The responder publishes
    /// ``MQTTMessage/response(payload:qos:)``. Give every client its own response topic.
    ///
    /// Throws `unsupported` on MQTT 3.1.1, `notConnected` without a connection, `noResponder` if the
    /// broker reports that nobody subscribes to the topic, `publishRefused` and `subscriptionRefused` with the
    /// broker's reason, and `deadlineExceeded` without a response in time; after that, and after `cancelled`
    /// and `connectionLost`, it is not known whether the request was executed.
    public func request(
        _ message: MQTTMessage, responseTopic: MQTTTopic, deadline: Duration = .seconds(10)
    ) async throws(MQTTError) -> MQTTMessage {
        guard configuration.version == .v5 else {
            countDrop(.notTaken)
            throw .requestsNeedVersion5
        }
        guard isConnected else { throw notTaken() }
        var message = message.carryingCurrentContext(configuration.version)
        message.properties.responseTopic = responseTopic
        message.properties.messageExpirySeconds =
            message.properties.messageExpirySeconds ?? deadline.wholeSeconds
        let number = calls.nextNumber()
        let timer = eventLoop.schedule(after: deadline) {
            [weak self, topic = message.topic] in
            self?.assumeIsolated {
                $0.requests.finish(number, with: .failure(.noAnswer(on: topic, within: deadline)))
            }
        }
        defer { timer.cancel() }
        return try await answer(to: message, on: responseTopic, as: number).get()
    }

    private func answer(
        to message: MQTTMessage, on topic: MQTTTopic, as number: UInt64
    ) async -> Result<MQTTMessage, MQTTError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                var generator = SystemGenerator()
                requests.insert(message, as: number, continuation, using: &generator)
                awaitResponses(on: topic, for: number)
            }
        } onCancel: {
            self.onLoop { $0.requests.finish(number, with: .failure(.waitCancelled)) }
        }
    }

    // MARK: The subscription for responses

    private func awaitResponses(on topic: MQTTTopic, for number: UInt64) {
        switch requests.topics.await(topic, for: number) {
        case .proceed: publishRequest(number)
        case .wait: break
        case .subscribe: subscribeToResponses(on: topic)
        }
    }

    private func subscribeToResponses(on topic: MQTTTopic) {
        let request = MQTTSubscriptionRequest(MQTTTopicFilter(topic), retainHandling: .doNotSend)
        let number = calls.nextNumber()
        add(ClientSubscription(sink: .responses(topic)), [request], as: number) {
            [weak self] result in
            self?.assumeIsolated { $0.responsesSubscribed(topic, number, result) }
        }
    }

    private func responsesSubscribed(
        _ topic: MQTTTopic, _ number: UInt64, _ result: Result<MQTTAcknowledgement, MQTTError>
    ) {
        var error: MQTTError?
        if case .failure(let failure) = result { error = failure.beforeTheRequest }
        let waiters = requests.topics.finish(topic, isGranted: error == nil)
        if let error {
            for waiter in waiters {
                if requests.takeMessage(of: waiter) != nil { countDrop(.notTaken) }
                requests.finish(waiter, with: .failure(error))
            }
            endSubscription(number, error: error)
        } else {
            for waiter in waiters { publishRequest(waiter) }
        }
    }

    // MARK: A request

    private func publishRequest(_ number: UInt64) {
        guard let message = requests.takeMessage(of: number) else { return }
        guard let connection else {
            return requests.finish(number, with: .failure(notTaken()))
        }
        connection.publish(message) { [weak self] result in
            self?.assumeIsolated { $0.requestPublished(number, message.topic, result) }
        }
    }

    private func requestPublished(
        _ number: UInt64, _ topic: MQTTTopic, _ result: Result<MQTTReasonCode, MQTTError>
    ) {
        switch result {
        case .failure(let error): requests.finish(number, with: .failure(error))
        case .success(.noMatchingSubscribers):
            requests.finish(number, with: .failure(.noResponder(topic)))
        case .success(let reason) where reason.isError:
            requests.finish(number, with: .failure(.publishRefused(topic, reason)))
        case .success: break
        }
    }
}

extension MQTTMessage {
    /// A response to this message, with its response topic and correlation data. Throws `invalidArgument`
    /// if the message asks for no response.
    public func response(payload: [UInt8], qos: MQTTQoS? = nil) throws(MQTTError) -> MQTTMessage {
        guard let topic = properties.responseTopic else {
            throw .invalid(
                "the message on \(topic) asks for no answer: it has no response topic, which only "
                    + "MQTT 5 carries")
        }
        return MQTTMessage(
            topic: topic, payload: payload, qos: qos ?? self.qos,
            properties: MQTTProperties(correlationData: properties.correlationData))
    }
}
