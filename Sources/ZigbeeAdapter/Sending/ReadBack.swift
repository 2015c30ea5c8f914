internal import DeviceDomain

/// Reads the effect of one command back from its device, as a value: what is heard goes in, what is
/// to be done comes out.
///
/// The bridge publishes what was asked for as soon as the radio has taken it (optimistic
/// publishing), and handles a later `/get` while it still works on the `/set`. So one message with
/// the wanted value may be such an echo, wherever it comes; only a second one, after a `/get`, is
/// taken as the device's word. A report of something else that comes between `/get` and its answer
/// carries the cached echo too and cannot be told from the answer.
struct ReadBack: Hashable, Sendable {
    /// What is to be done.
    enum Step: Hashable, Sendable {
        /// Ask the device.
        case ask
        /// The device shows what was asked for.
        case succeeded
        /// The device keeps showing this instead.
        case failed(JSONValue)
        /// Nothing can be said.
        case gaveUp
    }

    /// What the device must show.
    let expectation: Expectation
    /// Whether no other command has been sent to the device since: only then is another value a
    /// failure of this one.
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

    /// The device, or the bridge for it, says these members of its state.
    mutating func heard(_ members: JSONObject) -> Step? {
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
