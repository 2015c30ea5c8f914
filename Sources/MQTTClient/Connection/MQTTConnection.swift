/// One client's connection to a broker, kept up across failures.
///
/// It belongs to the thread of its event loop: create it, use it and let go of it there, best from an
/// actor whose executor is the loop (see ``init(configuration:eventLoop:owner:handler:)``). All calls
/// return at once; events and completions come later, on the loop, never from inside a call. Without a
/// connection nothing is queued: ``publish(_:completion:)`` fails with `notConnected`. Every attempt begins
/// afresh, so nothing is sent again behind the owner's back. Releasing the last reference aborts the
/// connection.
public final class MQTTConnection {
    private let driver: MQTTConnectionDriver
    private let eventLoop: MQTTEventLoop
    private let reference: ConnectionTable.Reference

    /// Prepares a connection; ``start()`` begins. Must be called on the loop.
    public init(
        configuration: MQTTConfiguration, eventLoop: MQTTEventLoop,
        handler: @escaping (MQTTConnectionEvent) -> Void
    ) {
        self.eventLoop = eventLoop
        driver = MQTTConnectionDriver(
            configuration: configuration, loop: eventLoop, handler: handler)
        reference = driver.reference
    }

    /// As ``init(configuration:eventLoop:handler:)``, for an actor whose executor is the loop: events come
    /// in its isolation, as long as it lives. Must be called on the loop.
    public convenience init<Owner: Actor>(
        configuration: MQTTConfiguration, eventLoop: MQTTEventLoop, owner: isolated Owner,
        handler: @escaping (isolated Owner, MQTTConnectionEvent) -> Void
    ) {
        precondition(
            owner.withSerialExecutor { $0 === eventLoop },
            "the owner of an MQTTConnection must have the event loop for its executor")
        // As in `assumeIsolated(_:)`, which would ask the runtime with every event what is settled here.
        let handler = unsafeBitCast(handler, to: ((Owner, MQTTConnectionEvent) -> Void).self)
        self.init(configuration: configuration, eventLoop: eventLoop) { [weak owner] event in
            if let owner { handler(owner, event) }
        }
    }

    deinit {
        eventLoop.executeWhileOpen { [eventLoop, reference] in
            eventLoop.core.connections[reference]?.abort()
        }
    }

    /// Begins to connect; events follow. Also tries again after a final failure.
    public func start() {
        driver.start()
    }

    /// Whether the broker has accepted and messages are taken.
    public var isConnected: Bool { driver.machine.isConnected }

    /// Messages that are not acknowledged, or at QoS 0 not written, and those that wait behind them.
    public var outstandingMessages: Int { driver.window.outstanding }

    /// Inbound messages dropped because their topic contained wildcards.
    public var droppedInboundMessages: Int { driver.drops[.unusableTopic] }

    /// Messages that this connection dropped, in either direction.
    public var drops: MQTTDropCounts { driver.drops }

    /// Sends a message. QoS 1 and 2 complete with the broker's reason, which may be an error of its own;
    /// QoS 0 completes when the message is written to the socket.
    ///
    /// Fails with `notConnected`, `closed`, `outboxFull`, `unsupported`, `packetTooLarge` or
    /// `invalidArgument` without sending, and with `connectionLost` when it is not known whether the broker
    /// has the message, whoever ended the connection.
    public func publish(
        _ message: MQTTMessage,
        completion: ((Result<MQTTReasonCode, MQTTError>) -> Void)? = nil
    ) {
        driver.publish(message, receipt: completion.map { .call($0) } ?? .nobody)
    }

    /// As ``publish(_:completion:)``, and tells nobody how it ends; only false, that it was refused.
    @discardableResult
    func publishWithoutWaiting(_ message: MQTTMessage) -> Bool {
        driver.publish(message, receipt: .nobody)
    }

    /// Sends messages one after the other, as the window has room for them, and completes once, when all
    /// are done. They wait outside the bounds of the outbox: the owner is to wait for one batch before it
    /// makes many more. Later messages of the same QoS do not overtake them.
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

    /// Sends no more of a batch, and completes it now.
    func cancel(_ batch: PublishBatch) {
        driver.cancel(batch)
    }

    /// As ``publish(_:completion:)``, with what else the broker says. With QoS 2 it says more only where it
    /// has accepted: the wrapped library loses the words of a refusal.
    public func publish(
        _ message: MQTTMessage,
        acknowledgement: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void
    ) {
        publish(message) { [driver] (result: Result<MQTTReasonCode, MQTTError>) in
            acknowledgement(
                result.map { driver.words ?? MQTTAcknowledgement(reasonCodes: [$0]) })
        }
    }

    /// What the DISCONNECT of a later ``close(drainingFor:saying:completion:)`` will say by default.
    public var farewell: MQTTDisconnectProperties {
        get { driver.farewell }
        set { driver.farewell = newValue }
    }

    /// Subscribes. Completes with one reason per request, in order; those may be errors.
    ///
    /// Fails with `notConnected`, `closed`, `unsupported`, `packetTooLarge` or `invalidArgument` without
    /// asking for anything, and with `connectionLost` when it is not known whether the broker has subscribed.
    public func subscribe(
        _ subscriptions: [MQTTSubscriptionRequest],
        completion: @escaping (Result<[MQTTReasonCode], MQTTError>) -> Void
    ) {
        driver.subscribe(subscriptions, userProperties: []) { completion($0.map(\.reasonCodes)) }
    }

    /// As ``subscribe(_:completion:)``, with MQTT 5 properties there and back.
    public func subscribe(
        _ subscriptions: [MQTTSubscriptionRequest],
        userProperties: [MQTTProperties.UserProperty],
        acknowledgement: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void
    ) {
        driver.subscribe(
            subscriptions, userProperties: userProperties, completion: acknowledgement)
    }

    /// Unsubscribes; completes when the broker has confirmed.
    public func unsubscribe(
        _ filters: [MQTTTopicFilter],
        completion: @escaping (Result<[MQTTReasonCode], MQTTError>) -> Void = { _ in }
    ) {
        driver.unsubscribe(filters, userProperties: []) { completion($0.map(\.reasonCodes)) }
    }

    /// As ``unsubscribe(_:completion:)``, with MQTT 5 properties there and back.
    public func unsubscribe(
        _ filters: [MQTTTopicFilter], userProperties: [MQTTProperties.UserProperty],
        acknowledgement: @escaping (Result<MQTTAcknowledgement, MQTTError>) -> Void
    ) {
        driver.unsubscribe(filters, userProperties: userProperties, completion: acknowledgement)
    }

    /// Stops waiting for the answers to every SUBSCRIBE and UNSUBSCRIBE that was sent until now: they fail
    /// with `acknowledgementTimeout`, and the connection goes on.
    ///
    /// For a caller that knows from a later message that the broker has passed them: mosquitto drops what
    /// exceeds a client's outgoing queue, and SUBACK with it.
    public func giveUpSubscribeAnswers() {
        driver.giveUpSubscribeAnswers()
    }

    /// Stops reading from the socket, so that TCP holds the broker back, until ``resumeReading()`` or the end of
    /// the connection. Pings go on. Without a connection this does nothing.
    public func pauseReading() {
        driver.pauseReading()
    }

    /// Reads again.
    public func resumeReading() {
        driver.resumeReading()
    }

    /// Takes no more messages, waits for what is outstanding, at most for the given time, sends
    /// DISCONNECT and reports. After `closed` nothing follows.
    public func close(
        drainingFor limit: Duration, saying properties: MQTTDisconnectProperties? = nil,
        completion: @escaping (MQTTDrainReport) -> Void
    ) {
        driver.close(drainingFor: limit, saying: properties, completion: completion)
    }

    /// Closes the socket without DISCONNECT: the broker publishes the will.
    public func abort() {
        driver.abort()
    }
}
