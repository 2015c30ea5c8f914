/// A moment in UTC: whole milliseconds since the Unix epoch.
///
/// The documentation of each member says whether it comes from the wire clock or the world clock of
/// PROTOCOL section 2.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int

    public init(milliseconds: Int) { self.milliseconds = milliseconds }

    public static func < (left: Self, right: Self) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The moment `duration` later, to the whole millisecond below.
    public func advanced(by duration: Duration) -> Timestamp {
        Timestamp(milliseconds: milliseconds + duration.wholeMilliseconds)
    }

    /// The time from `earlier` to this moment; negative if this is earlier.
    public func since(_ earlier: Timestamp) -> Duration {
        .milliseconds(milliseconds - earlier.milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds, rounded towards zero.
    public var wholeMilliseconds: Int {
        // Once: each call divides 128 bits.
        let (seconds, attoseconds) = components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    /// The duration in seconds.
    public var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
