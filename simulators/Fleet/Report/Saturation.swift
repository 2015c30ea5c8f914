import DeviceDomain

/// The machine was too slow for the speed of a run, so that devices did not do what they would have done in time.
package struct Saturation: Hashable, Sendable, CustomStringConvertible {
    /// The lowest speed, in world seconds per second.
    let reached: Double
    /// The speed that was asked for.
    let wanted: Double

    package var description: String {
        "the machine reached \(Self.text(reached)) world seconds per second at times, not \(Self.text(wanted))"
    }

    /// A speed with as many digits as people can use.
    static func text(_ speed: Double) -> String {
        let steps = speed < 10 ? 100.0 : 10
        let rounded = (speed * steps).rounded() / steps
        return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    }
}
