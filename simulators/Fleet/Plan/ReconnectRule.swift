/// When a device tries to connect again after it lost its connection, by itself: no device waits for another.
package enum ReconnectRule: Hashable, Sendable {
    /// Always after the same wait.
    case fixed(Duration)
    /// After waits that double up to a longest one.
    case backoff(first: Duration, longest: Duration)
    /// After a random wait of at most those of `backoff`, drawn from the seed of the device.
    case jitter(first: Duration, longest: Duration)

    /// What devices do that nobody has told anything (CLI.md, `--reconnect`).
    package static let standard = ReconnectRule.jitter(first: .seconds(1), longest: .seconds(60))
}
