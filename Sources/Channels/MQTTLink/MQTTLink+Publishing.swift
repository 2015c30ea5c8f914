internal import Basics
internal import KillPoints
public import MQTTClient

extension MQTTLink {
    /// After how long a fence that has not come back is published again.
    private static let fenceInterval = Duration.milliseconds(250)

    /// Publishes a message and waits for the broker's reason code, or at QoS 0 until it is written to the
    /// socket.
    /// - Throws: ``MQTTError``; ``MQTTError/provesNothingLeft`` says whether it may have left.
    public func publish(_ message: MQTTMessage) async throws(MQTTError) -> MQTTReasonCode {
        let slot = AnswerSlot<Result<MQTTReasonCode, MQTTError>>()
        publish(message) { slot.resolve($0) }
        return try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    /// Publishes a message; `completion` is called on the event loop with the broker's reason code or an
    /// error. For callers that wait for something else at the same time.
    public nonisolated func publish(
        _ message: MQTTMessage,
        completion: @escaping @Sendable (Result<MQTTReasonCode, MQTTError>) -> Void
    ) {
        perform { link in
            guard let connection = link.connection, connection.isConnected else {
                return completion(.failure(.noConnection))
            }
            connection.publish(message) { (result: Result<MQTTReasonCode, MQTTError>) in
                completion(result)
            }
            KillPoint.givenToClient.pass()
        }
    }

    /// Publishes a message if there is a connection, and does not report the result.
    public nonisolated func publishWithoutWaiting(_ message: MQTTMessage) {
        perform { $0.connection?.publish(message) }
    }

    /// Publishes a message to this link itself, behind everything that the broker has begun to send,
    /// and waits until a message with the same topic and payload comes back. A broker may drop it like any
    /// other message, so it is published again until it comes.
    /// - Parameter deadline: how long to wait.
    /// - Returns: whether it came back in time.
    /// - Throws: if it could not be published.
    public func passFence(
        publishing message: MQTTMessage, within deadline: Duration
    ) async throws(MQTTError) -> Bool {
        let number = makeNumber()
        let slot = AnswerSlot<Bool>()
        waits.fences[number] = Fence(message: message, slot: slot, behind: subscribes.underWay)
        let timer = eventLoop.schedule(after: deadline) { slot.resolve(false) }
        scheduleFence(number)
        defer {
            timer.cancel()
            waits.fences[number] = nil
        }
        _ = try await publish(message)
        return await slot.value(ifCancelled: false)
    }

    /// Passes a fence on a topic that the link is subscribed to and that means nothing to anybody else.
    /// - Returns: whether it came back in time.
    package func passFence(
        on topic: MQTTTopic, within deadline: Duration
    ) async throws(MQTTError) -> Bool {
        let nonce = UInt64.random(in: .min ... .max)
        return try await passFence(
            publishing: MQTTMessage(topic: topic, payload: Array("\(nonce)".utf8)),
            within: deadline)
    }

    /// Publishes a fence again at intervals until its wait has ended.
    private func scheduleFence(_ number: UInt64) {
        eventLoop.schedule(after: Self.fenceInterval) { [weak self] in
            self?.assumeIsolated { link in
                guard let fence = link.waits.fences[number] else { return }
                link.connection?.publish(fence.message)
                link.scheduleFence(number)
            }
        }
    }

    func passFences(_ message: MQTTMessage) {
        for fence in waits.fences.values
        where fence.message.topic == message.topic && fence.message.payload == message.payload {
            if let call = fence.behind { stopWaiting(forAnswerTo: call) }
            fence.slot.resolve(true)
        }
    }
}
