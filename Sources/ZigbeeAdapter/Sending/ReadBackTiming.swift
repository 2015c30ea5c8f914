/// When a device is asked whether it has obeyed, and how long its answers are waited for.
public struct ReadBackTiming: Hashable, Sendable {
    /// From the delivery of a command to the first question.
    public var delay: Duration
    /// From the first question to the second one; every further wait is twice as long as the one
    /// before, up to eight times this.
    public var interval: Duration
    /// How long after the delivery a device that shows the same other value again and again is
    /// taken at its word.
    public var settled: Duration
    /// How long a device that still moves is waited for, and every cover.
    public var longest: Duration
    /// How long an error of the bridge's log is taken for a command's.
    public var errorWindow: Duration

    public init(
        delay: Duration = .milliseconds(500), interval: Duration = .seconds(1),
        settled: Duration = .seconds(5), longest: Duration = .seconds(60),
        errorWindow: Duration = .seconds(15)
    ) {
        self.delay = delay
        self.interval = interval
        self.settled = settled
        self.longest = longest
        self.errorWindow = errorWindow
    }
}
