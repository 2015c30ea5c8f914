package import DeviceDomain

/// A time that a device has written, and when it can have written it by this machine's clock.
package struct ClockReading: Hashable, Sendable {
    /// What the device wrote.
    package let written: Timestamp
    /// The earliest time by this machine's clock; `nil` where it is not known.
    package let earliest: Timestamp?
    /// The latest time by this machine's clock.
    package let latest: Timestamp

    package init(_ written: Timestamp, from earliest: Timestamp?, to latest: Timestamp) {
        self.written = written
        self.earliest = earliest
        self.latest = latest
    }

    /// How far the device's clock is ahead at least; negative where it is behind, zero where it may be
    /// right.
    package var skew: Duration {
        if written > latest { return written.since(latest) }
        if let earliest, written < earliest { return written.since(earliest) }
        return .zero
    }
}
