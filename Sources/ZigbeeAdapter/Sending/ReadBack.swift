internal import DeviceDomain

/// Reads the effect of one command back from its device. A value type: received states go in, steps come
/// out.
///
/// The bridge publishes the requested value as soon as the radio has accepted it (optimistic publishing),
/// and handles a later `/get` while the `/set` is still in progress. So one message with the expected value
/// may be such an echo, whenever it comes; only a second one, after a `/get`, is taken as the device's own
/// report. A report about another property between `/get` and its answer contains the cached echo too, and
/// cannot be distinguished from the answer.
struct ReadBack: Hashable, Sendable {
    /// The next step.
    enum Step: Hashable, Sendable {
        /// Send `/get` to the device.
        case ask
        /// The device reports the expected value.
        case succeeded
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
    private var elapsed = Duration.zero
    private var wait: Duration
    private var questions = 0
    private var wasEchoed = false
    private var answers: [JSONValue] = []

    init(_ expectation: Expectation, _ timing: ReadBackTiming) {
        self.expectation = expectation
        self.timing = timing
        wait = timing.delay
    }

    /// How long to wait from now until the next ``waited()``. The first wait begins with the
    /// delivery.
    var nextWait: Duration { wait }

    /// A wait is over.
    mutating func waited() -> Step {
        elapsed += wait
        guard elapsed < deadline else { return verdict }
        let factor = 1 << min(questions, 3)
        questions += 1
        wait = min(timing.interval * factor, max(deadline - elapsed, .milliseconds(1)))
        return .ask
    }

    /// The device, or the bridge for it, has published these members of its state.
    mutating func received(_ members: JSONObject) -> Step? {
        guard let answer = expectation.answer(in: members) else { return nil }
        guard expectation.isMet(by: answer) else {
            if questions > 0 { answers = answers.suffix(1) + [answer] }
            return nil
        }
        answers = []
        guard questions > 0 else {
            wasEchoed = true
            return nil
        }
        guard !wasEchoed else { return .succeeded }
        wasEchoed = true
        return .ask
    }

    private var deadline: Duration {
        let isMoving = answers.count == 2 && answers[0] != answers[1]
        return isMoving || expectation.proof.isSlow ? timing.longest : timing.settled
    }

    private var verdict: Step {
        guard isAlone, answers.count == 2, answers[0] == answers[1] else { return .gaveUp }
        return .failed(answers[1])
    }
}
