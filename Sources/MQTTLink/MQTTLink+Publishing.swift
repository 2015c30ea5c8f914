public import MQTTClient

/// Somebody's wait for a message that shows that all before it has come.
struct Fence: Sendable {
    let isPassed: @Sendable (MQTTMessage) -> Bool
    let slot: AnswerSlot<Bool>
    /// The SUBSCRIBE that was under way when the message was first published: when the message is
    /// back, the broker has carried it out, and has dropped the answer if it did not come.
    let behind: SubscribeQueue.Call?
}

extension MQTTLink {
    /// How long a fence is waited for before its message is published again.
    private static let fenceInterval = Duration.milliseconds(250)

    /// Publishes a message and waits for the broker's reason, at QoS 0 for the socket.
    /// - Throws: ``MQTTError``; ``MQTTError/provesNothingLeft`` says whether it may have left.
    public func publish(_ message: MQTTMessage) async throws(MQTTError) -> MQTTReasonCode {
        let slot = AnswerSlot<Result<MQTTReasonCode, MQTTError>>()
        publish(message) { slot.resolve($0) }
        return try await slot.value(ifCancelled: .failure(.waitCancelled)).get()
    }

    /// Publishes a message; `completion` is called on the event loop with the broker's reason, or with why
    /// there is none. For those who wait for something else besides.
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
        }
    }

    /// Publishes a message if there is a connection, and tells nobody how it ends.
    public nonisolated func publishWithoutWaiting(_ message: MQTTMessage) {
        perform { $0.connection?.publish(message) }
    }

    /// Publishes a message that comes back to this link, behind all that the broker has begun to
    /// send, and waits until it is there. A broker may drop it like any other message, so it is
    /// published again until it comes.
    /// - Parameters:
    ///   - isPassed: whether a message that came is the one.
    ///   - deadline: how long to wait.
    /// - Returns: whether it came back in time.
    /// - Throws: if it could not be published.
    public func passFence(
        publishing message: MQTTMessage, until isPassed: @escaping @Sendable (MQTTMessage) -> Bool,
        within deadline: Duration
    ) async throws(MQTTError) -> Bool {
        let number = makeNumber()
        let slot = AnswerSlot<Bool>()
        fences[number] = Fence(isPassed: isPassed, slot: slot, behind: subscribes.underWay)
        let timer = eventLoop.schedule(after: deadline) { slot.resolve(false) }
        publishFenceAgain(message, number)
        defer {
            timer.cancel()
            fences[number] = nil
        }
        _ = try await publish(message)
        return await slot.value(ifCancelled: false)
    }

    /// Until it has come back or is not waited for any more.
    private func publishFenceAgain(_ message: MQTTMessage, _ number: Int) {
        eventLoop.schedule(after: Self.fenceInterval) { [weak self] in
            self?.assumeIsolated { link in
                guard link.fences[number] != nil else { return }
                link.connection?.publish(message)
                link.publishFenceAgain(message, number)
            }
        }
    }

    func passFences(_ message: MQTTMessage) {
        for fence in fences.values where fence.isPassed(message) {
            if let call = fence.behind { giveUpAnswer(to: call) }
            fence.slot.resolve(true)
        }
    }
}
