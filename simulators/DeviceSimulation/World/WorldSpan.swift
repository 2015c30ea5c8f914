package import DeviceDomain

/// A stretch of simulated time between two instants of a device.
package struct WorldSpan: Hashable, Sendable {
    /// The world clock at its end.
    package let end: Timestamp
    /// How long the world went on, in seconds; above 0, at most 1.
    package let seconds: Double

    package init(end: Timestamp, seconds: Double) {
        self.end = end
        self.seconds = seconds
    }
}
