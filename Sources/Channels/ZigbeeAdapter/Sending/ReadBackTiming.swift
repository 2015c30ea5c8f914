/// When the effect of a command is read back from its device, and how long to wait for the result.
public struct ReadBackTiming: Hashable, Sendable {
    /// From the delivery of a command to the first `/get`.
    public var delay: Duration
    /// From the first `/get` to the second one. Every further wait is twice as long as the previous one, up
    /// to eight times this. Behind ``longest`` each question doubles the time since the delivery.
    public var interval: Duration
    /// How long after the delivery a device that keeps reporting the same other value counts as failed, and
    /// the requested value that the bridge has published counts where the device cannot be queried.
    public var settled: Duration
    /// How long to wait at least for a device that moves, sleeps or does not answer. A command that may
    /// start later is watched for as long as it may.
    public var longest: Duration
    /// How long after a command an error in the bridge's log may be attributed to it.
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
