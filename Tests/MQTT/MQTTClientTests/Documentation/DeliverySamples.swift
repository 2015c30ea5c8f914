import MQTTClient

/// The code in Delivery and RequestResponse, run by ``SampleRunTests``.
enum DeliverySamples {
    static func reason(_ client: MQTTClient, _ message: MQTTMessage) async throws -> Bool {
        // sample: publish and look at the reason
        let reason = try await client.publish(message)
        if reason == .noMatchingSubscribers { return false }
        if reason.isError { throw Refused(reason: reason) }
        return true
        // end sample
    }

    /// What a reader of a batch's results decides about each message.
    enum Fate: Equatable {
        case refused(MQTTReasonCode)
        case inDoubt
        case kept
    }

    static func batch(
        _ client: MQTTClient, _ readings: [MQTTMessage],
        decide: (MQTTMessage, Fate) -> Void
    ) async throws {
        func refused(_ reading: MQTTMessage, _ reason: MQTTReasonCode) {
            decide(reading, .refused(reason))
        }
        func inDoubt(_ reading: MQTTMessage) { decide(reading, .inDoubt) }
        func keep(_ reading: MQTTMessage) { decide(reading, .kept) }
        // sample: publish a batch
        let results = try await client.publish(contentsOf: readings)
        for (reading, result) in zip(readings, results) {
            switch result {
            case .success(let reason) where reason.isError: refused(reading, reason)
            case .success: break
            case .failure(let error) where error.code == .connectionLost: inDoubt(reading)
            case .failure: keep(reading)
            }
        }
        // end sample
    }

    static func drain(_ client: MQTTClient, keep: (MQTTMessage) -> Void) async {
        // sample: disconnect and keep what never left
        let report = await client.disconnect(drainingFor: .seconds(2))
        for message in report.unsent { keep(message) }
        // end sample
    }

    static func request(_ client: MQTTClient, _ question: MQTTMessage) async throws -> MQTTMessage {
        // sample: request
        let answer = try await client.request(
            question, responseTopic: MQTTTopic("answers/\(client.configuration.clientID)"),
            deadline: .seconds(2))
        // end sample
        return answer
    }

    static func respond(_ client: MQTTClient, to filter: MQTTTopicFilter) async throws {
        // sample: respond
        let questions = try await client.subscribe(to: [MQTTSubscriptionRequest(filter)])
        for try await question in questions {
            guard let answer = try? question.response(payload: question.payload.reversed()) else {
                continue
            }
            await client.publishWithoutWaiting(answer)
        }
        // end sample
    }

    struct Refused: Error {
        var reason: MQTTReasonCode
    }
}
