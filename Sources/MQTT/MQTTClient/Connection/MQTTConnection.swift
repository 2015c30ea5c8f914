/// One client's connection to a broker, which reconnects after failures.
///
/// It is confined to the thread of its event loop: create, use and release it there, best from an actor
/// whose executor is the loop (see ``init(configuration:eventLoop:owner:handler:)``). All calls return at
/// once; events and completions come later, on the loop, never from inside a call. Without a connection
/// nothing is queued: ``publish(_:completion:)`` fails with `notConnected`. No message is resent after a
/// reconnect without the owner's knowledge. Releasing the last reference aborts the connection.
public final class MQTTConnection {
    private let driver: MQTTConnectionDriver
    private let eventLoop: MQTTEventLoop
    private let reference: ConnectionTable.Reference

    /// Creates a connection, which connects when ``start()`` is called. Must be called on the loop.
    public init(
        configuration: MQTTConfiguration, eventLoop: MQTTEventLoop,
        handler: @escaping (MQTTConnectionEvent) -> Void
    ) {
        self.eventLoop = eventLoop
        driver = MQTTConnectionDriver(
            configuration: configuration, loop: eventLoop, handler: handler)
        reference = driver.reference
    }

    /// As ``init(configuration:eventLoop:handler:)``, for an actor whose executor is the loop: the handler
    /// runs isolated to the actor, as long as the actor lives. Must be called on the loop.
    public convenience init<Owner: Actor>(
        configuration: MQTTConfiguration, eventLoop: MQTTEventLoop, owner: isolated Owner,
        handler: @escaping @Sendable (isolated Owner, MQTTConnectionEvent) -> Void
    ) {
        precondition(
            owner.withSerialExecutor { $0 === eventLoop },
            "the owner of an MQTTConnection must have the event loop as its executor")
        self.init(configuration: configuration, eventLoop: eventLoop) { [weak owner] event in
            owner?.assumeIsolated { handler($0, event) }
        }
    }

    deinit {
        eventLoop.executeWhileOpen { [eventLoop, reference] in
            eventLoop.core.connections[reference]?.abort()
        }
    }

    /// Starts to connect; events follow. Also starts again after a final failure.
    public func start() {
        driver.start()
    }

    /// Whether the broker has accepted the connection and messages can be published.
    public var isConnected: Bool { driver.machine.isConnected }

    /// Messages that are queued, not acknowledged, or at QoS 0 not written.
    public var outstandingMessages: Int { driver.outbox.outstanding }

    /// Inbound messages dropped because their topic contained wildcards.
    public var droppedInboundMessages: Int { driver.outbox.drops[.unusableTopic] }

    /// Messages that this connection dropped, in either direction.
    public var drops: MQTTDropCounts { driver.outbox.drops }

    /// Sends a message. QoS 1 and 2 complete with the broker's reason code, which may itself be an error;
    /// QoS 0 completes when the message is written to the socket.
    ///
    /// Fails with `notConnected`, `closed`, `outboxFull`, `unsupported`, `packetTooLarge` or
    /// `invalidArgument` without sending, and with `connectionLost` if the connection ended, for any reason,
    /// before it was known whether the broker has the message.
    public func publish(
        _ message: MQTTMessage,
        completion: ((Result<MQTTReasonCode, MQTTError>) -> Void)? = nil
    ) {
        let receipt = completion.map { completion in
            PublishReceipt.call { completion($0.map(\.reasonCode)) }
        }
        driver.publish(message, receipt: receipt ?? .nobody)
    }

    /// As ``publish(_:completion:)``, without a completion. Returns false if the message was refused.
    @discardableResult
    func publishWithoutWaiting(_ message: MQTTMessage) -> Bool {
        driver.publish(message, receipt: .nobody)
    }

    /// Sends messages in order, as the send window allows, and completes once, when all are done. Waiting
    /// messages of a batch do not count towards the limits of the outbox, so wait for a batch before you
    /// publish many more. Later messages of the same QoS do not overtake them.
    public func publish(
        contentsOf messages: [MQTTMessage],
        completion: @escaping (MQTTPublishResults) -> Void
    ) {
        driver.publish(PublishBatch(messages, completion: completion))
    }

    /// As ``publish(contentsOf:completion:)``, for a batch that may be cancelled.
    func publish(_ batch: PublishBatch) {
        driver.publish(batch)
    }

    /// Sends no more messages of a batch, and completes it now.
    func cancel(_ batch: PublishBatch) {
        driver.cancel(batch)
    }

    /// As ``publish(_:completion:)``, with the broker's full acknowledgement. At QoS 2 only an accepted
    /// message has more than a code: the wrapped library loses the properties of a refusal.
    public func publish(
        _ message: MQTTMessage,
        acknowledgement: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void
    ) {
        driver.publish(message, receipt: .call(acknowledgement))
    }

    /// The default properties of the DISCONNECT that ``close(drainingFor:properties:completion:)`` sends.
    public var disconnectProperties = MQTTDisconnectProperties.none

    /// Subscribes. Completes with one reason code per request, in order; codes may be errors.
    ///
    /// Fails with `notConnected`, `closed`, `unsupported`, `packetTooLarge` or `invalidArgument` without
    /// sending anything, and with `connectionLost` when it is not known whether the broker has subscribed.
    public func subscribe(
        _ subscriptions: [MQTTSubscriptionRequest],
        completion: @escaping (Result<[MQTTReasonCode], MQTTError>) -> Void
    ) {
        driver.send(.subscribe(subscriptions), userProperties: []) {
            completion($0.map(\.reasonCodes))
        }
    }

    /// As ``subscribe(_:completion:)``, with MQTT 5 properties in both directions.
    public func subscribe(
        _ subscriptions: [MQTTSubscriptionRequest],
        userProperties: [MQTTProperties.UserProperty],
        acknowledgement: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void
    ) {
        driver.send(
            .subscribe(subscriptions), userProperties: userProperties, completion: acknowledgement)
    }

    /// Unsubscribes; completes when the broker has confirmed.
    public func unsubscribe(
        _ filters: [MQTTTopicFilter],
        completion: @escaping (Result<[MQTTReasonCode], MQTTError>) -> Void = { _ in }
    ) {
        driver.send(.unsubscribe(filters), userProperties: []) { completion($0.map(\.reasonCodes)) }
    }

    /// As ``unsubscribe(_:completion:)``, with MQTT 5 properties in both directions.
    public func unsubscribe(
        _ filters: [MQTTTopicFilter], userProperties: [MQTTProperties.UserProperty],
        acknowledgement: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void
    ) {
        driver.send(
            .unsubscribe(filters), userProperties: userProperties, completion: acknowledgement)
    }

    /// Stops waiting for the answer to every SUBSCRIBE and UNSUBSCRIBE sent so far: they fail with
    /// `acknowledgementTimeout`, and the connection goes on.
    ///
    /// For a caller that knows from a later message that the broker has processed them: mosquitto drops
    /// packets that exceed a client's outgoing queue, including SUBACK.
    public func giveUpSubscribeAnswers() {
        driver.giveUpSubscribeAnswers()
    }

    /// Stops reading from the socket, so that TCP flow control slows the broker down, until
    /// ``resumeReading()`` or the end of the connection. Pings continue. Does nothing without a connection.
    public func pauseReading() {
        driver.pauseReading()
    }

    /// Reads from the socket again.
    public func resumeReading() {
        driver.resumeReading()
    }

    /// Refuses new messages, waits for outstanding acknowledgements for at most the given time, sends
    /// DISCONNECT and reports what was delivered. The last event is `closed`.
    public func close(
        drainingFor limit: Duration, properties: MQTTDisconnectProperties? = nil,
        completion: @escaping (MQTTDrainReport) -> Void
    ) {
        if let properties { disconnectProperties = properties }
        driver.close(
            drainingFor: limit, properties: disconnectProperties, completion: completion)
    }

    /// Has this and later connections go over a link, whose conditions its owner changes.
    package func goOver(_ link: ShapedLink) {
        link.carry(driver)
    }

    /// Ends the connection as a network does that resets it: the broker sees RST. Reconnects as after any
    /// failure. Does nothing without a connection.
    package func reset() {
        driver.reset()
    }

    /// Closes the socket without DISCONNECT: the broker publishes the will.
    public func abort() {
        driver.abort()
    }
}
