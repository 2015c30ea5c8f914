internal import Basics
internal import DeviceDomain

/// Reads the effect of one command back from its device. A value type: received states go in, steps come
/// out.
///
/// The bridge publishes the requested value as soon as the radio has accepted it (optimistic publishing),
/// and handles a later `/get` while the `/set` is still in progress. So one message with the expected value
/// may be such an echo, whenever it comes; only a second one, after a `/get`, is taken as the device's own
/// report. A report about another property between `/get` and its answer contains the cached echo too, and
/// cannot be distinguished from the answer.
///
/// A device that cannot be queried is only watched: what the bridge publishes last is the bridge's word.
/// Silence proves nothing, because a device on a battery sleeps: it is watched until the command may no
/// longer start.
struct ReadBack: Hashable, Sendable {
    /// The next step.
    enum Step: Hashable, Sendable {
        /// Send `/get` with this payload to the device.
        case ask(JSONObject)
        /// The device reports the expected value.
        case succeeded
        /// The bridge has published the expected value, and the device cannot be queried.
        case published(JSONValue)
        /// The device keeps reporting this value instead.
        case failed(JSONValue)
        /// The result stays unknown.
        case gaveUp
    }

    /// The expected value.
    let expectation: Expectation
    /// Whether no other command has been sent to the device since. Only then does another value show a failure
    /// of this one.
    var isAlone = true
    private let timing: ReadBackTiming
    /// How long after the delivery the device is watched.
    private let deadline: Duration
    /// From when on another value counts, which may have been stored before the device got the command.
    private let settled: Duration
    private var elapsed = Duration.zero
    private var wait: Duration
    private var questions = 0
    /// The expected value as it was published last; `nil` if another value came since.
    private var echo: JSONValue?
    private var others: [JSONValue] = []

    /// - Parameters:
    ///   - lifetime: how long the command may take to start.
    ///   - isSleepy: whether the device may hear the command late.
    init(
        _ expectation: Expectation, _ timing: ReadBackTiming, lasting lifetime: Duration = .zero,
        isSleepy: Bool = false
    ) {
        self.expectation = expectation
        self.timing = timing
        deadline = max(timing.longest, lifetime)
        settled =
            isSleepy ? deadline : expectation.proof.isSlow ? timing.longest : timing.settled
        wait = expectation.question == nil ? timing.settled : timing.delay
    }

    /// How long to wait from now until the next ``waited()``. The first wait begins with the
    /// delivery.
    var nextWait: Duration { wait }

    /// A wait is over.
    /// - Returns: `nil` to wait on.
    mutating func waited() -> Step? {
        elapsed += wait
        if let verdict { return verdict }
        guard elapsed < deadline else { return .gaveUp }
        wait = max(min(pause, nextLimit - elapsed), .milliseconds(1))
        guard let question = expectation.question else { return nil }
        questions += 1
        return .ask(question)
    }

    /// The device, or the bridge for it, has published these members of its state.
    mutating func received(_ members: JSONObject) -> Step? {
        guard let answer = expectation.answer(in: members) else { return nil }
        guard expectation.isMet(by: answer) else {
            // Before the first question it is what the bridge had stored.
            if questions > 0 || expectation.question == nil { others = others.suffix(1) + [answer] }
            if expectation.question == nil { echo = nil }
            return nil
        }
        others = []
        let wasEchoed = echo != nil
        echo = answer
        guard let question = expectation.question else { return verdict }
        guard questions > 0 else { return nil }
        return wasEchoed ? .succeeded : .ask(question)
    }

    /// The wait before the next question, as far as no limit comes first.
    private var pause: Duration {
        guard elapsed < timing.longest else { return elapsed }
        return Backoff(first: timing.interval, longest: timing.interval * 8).wait(after: questions)
    }

    /// The next moment at which there may be a verdict.
    private var nextLimit: Duration {
        [timing.settled, settled].filter { $0 > elapsed }.min() ?? deadline
    }

    /// What the messages so far show; `nil` while that is open.
    private var verdict: Step? {
        if let echo, expectation.question == nil, elapsed >= timing.settled {
            return .published(echo)
        }
        guard elapsed >= settled, isAlone, others.count == 2, others[0] == others[1] else {
            return nil
        }
        return .failed(others[1])
    }
}
