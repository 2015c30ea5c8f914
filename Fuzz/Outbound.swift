import Dispatch
import MQTTClient
import Synchronization

/// Publishes what the bytes say to a broker with limits, all in one turn of the loop, and drains.
///
/// What must hold: nothing crashes; every message is accepted or refused with the one error that fits;
/// neither the bounds of the outbox nor the limits of the broker are ever exceeded; what was accepted
/// arrives whole, once and in order, and the report says so.
func fuzzOutbound(_ input: [UInt8]) {
    var reader = FuzzReader(input)
    let plan = OutboundPlan(&reader)
    let publisher = OutboundPublisher(plan)
    let broker = FuzzBroker.current
    var configuration = broker.configuration(plan.version)
    configuration.sendMaximum = plan.sendMaximum
    configuration.maximumPendingMessages = plan.maximumPendingMessages
    configuration.maximumPendingBytes = plan.maximumPendingBytes
    let peer = broker.accept(configuration) { connection, event in
        publisher.handle(event, of: connection)
    } onClose: {
        publisher.end.signal()
    }
    peer.write(FuzzBroker.connack(plan.version, properties: plan.properties))
    var receiver = OutboundReceiver(plan, peer)
    receiver.serve(publisher)
    peer.reset()
    publisher.end.wait()
    publisher.check(received: receiver.received)
}

/// The owner of the connection, and what it is told.
final class OutboundPublisher: Sendable {
    private struct State {
        /// Per message, in the order of the plan.
        var outcomes: [Result<MQTTReasonCode, MQTTError>?]
        var report: MQTTDrainReport?
        var isFailed = false
    }

    let end = DispatchSemaphore(value: 0)
    private let plan: OutboundPlan
    private let messages: [(message: OutboundMessage, isSingle: Bool)]
    private let state: Mutex<State>

    init(_ plan: OutboundPlan) {
        self.plan = plan
        messages = plan.steps.flatMap { step in
            switch step {
            case .single(let message): [(message, true)]
            case .batch(let batch): batch.map { ($0, false) }
            }
        }
        state = Mutex(State(outcomes: Array(repeating: nil, count: messages.count)))
    }

    func handle(_ event: MQTTConnectionEvent, of connection: MQTTConnection) {
        switch event {
        case .connected: publish(on: connection)
        case .disconnected: state.withLock { $0.isFailed = true }
        case .message, .skipped, .closed: break
        }
    }

    private func publish(on connection: MQTTConnection) {
        var index = 0
        for step in plan.steps {
            let first = index
            switch step {
            case .single(let message):
                index += 1
                connection.publish(message.value) { result in
                    self.state.withLock { $0.outcomes[first] = result }
                }
            case .batch(let batch):
                index += batch.count
                connection.publish(contentsOf: batch.map(\.value)) { results in
                    self.state.withLock { state in
                        for (offset, result) in results.enumerated() {
                            state.outcomes[first + offset] = result
                        }
                    }
                }
            }
        }
        connection.close(drainingFor: .seconds(10)) { report in
            self.state.withLock { $0.report = report }
        }
    }

    /// The messages that the broker must get, once it has got the first. What is refused was told before
    /// anything was written, but for a batch, which is told at its end.
    var expected: [OutboundMessage] {
        let outcomes = state.withLock { $0.outcomes }
        return zip(messages, outcomes).compactMap { entry, outcome in
            if plan.objection(to: entry.message) != nil { return nil }
            if case .failure = outcome { return nil }
            return entry.message
        }
    }

    // MARK: Afterwards

    func check(received: Int) {
        let (outcomes, report, isFailed) = state.withLock {
            ($0.outcomes, $0.report, $0.isFailed)
        }
        precondition(!isFailed, "the connection failed")
        precondition(received == expected.count, "what was accepted did not arrive")
        precondition(
            report
                == MQTTDrainReport(
                    delivered: received, undelivered: 0, unsent: [], isDisconnectSent: true),
            "the report is wrong: \(String(describing: report))")
        var outbox = OutboundBounds(plan)
        for (entry, outcome) in zip(messages, outcomes) {
            let message = entry.message
            guard let outcome else { preconditionFailure("a message without an outcome") }
            switch outcome {
            case .success(let reason):
                precondition(reason == .success)
                precondition(plan.objection(to: message) == nil, "what cannot be sent was accepted")
                if entry.isSingle { outbox.accept(message) }
            case .failure(let error) where error.code == .outboxFull:
                precondition(entry.isSingle, "a batch was refused for want of room")
                precondition(plan.objection(to: message) == nil)
                outbox.refuse(message)
            case .failure(let error):
                precondition(error.code == plan.objection(to: message), "refused with \(error)")
            }
        }
    }
}

/// The bounds of an outbox, as its configuration states them.
private struct OutboundBounds {
    /// What a message may occupy beyond its contents.
    private static let overhead = 256

    private let plan: OutboundPlan
    private var confirmed = 0
    private var waiting = 0
    private var bytes = 0

    init(_ plan: OutboundPlan) { self.plan = plan }

    mutating func accept(_ message: OutboundMessage) {
        if message.value.qos > .atMostOnce {
            confirmed += 1
            // These are on their way or will be the next.
            if confirmed <= plan.window { return }
        }
        waiting += 1
        bytes += message.content
        // Nothing is ahead of it, and nothing would ever make room.
        if waiting == 1, message.value.qos == .atMostOnce { return }
        precondition(waiting <= plan.maximumPendingMessages, "more messages wait than may")
        precondition(bytes <= plan.maximumPendingBytes, "more bytes wait than may")
    }

    func refuse(_ message: OutboundMessage) {
        let all = bytes + message.content + (waiting + 1) * Self.overhead
        // Behind a batch also messages wait that would have gone at once.
        let most = waiting + min(confirmed, plan.window)
        precondition(
            most >= plan.maximumPendingMessages
                || all + confirmed * Self.overhead > plan.maximumPendingBytes
                || plan.steps.contains { if case .batch = $0 { true } else { false } },
            "refused although there was room")
    }
}
