import DeviceDomain

/// The machine was too slow for the speed of a run, so that devices did not do what they would have done in time.
package struct Saturation: Hashable, Sendable, CustomStringConvertible {
    /// The longest time for which devices were behind the world clock.
    struct Delay: Hashable, Sendable {
        /// When it began (world time from the epoch).
        let start: Duration
        /// How long it took, by the wall clock.
        let length: Duration
    }

    /// The lowest speed, in world seconds per second.
    let reached: Double
    /// The speed that was asked for.
    let wanted: Double
    /// The longest time for which it was behind; `nil` where a report does not say.
    var longest: Delay?

    package var description: String {
        let place = longest.map {
            ": devices were behind the world clock for \($0.length.writtenBriefly) at most, from "
                + "\($0.start.writtenBriefly) of the world on"
        }
        return "the machine reached \(Self.text(reached)) world seconds per second at times, not "
            + Self.text(wanted) + (place ?? "")
    }

    /// A speed with as many digits as people can use.
    static func text(_ speed: Double) -> String {
        let steps = speed < 10 ? 100.0 : 10
        let rounded = (speed * steps).rounded() / steps
        return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    }

    /// What two parts of a fleet found together.
    func joined(with other: Saturation) -> Saturation {
        var joined = reached <= other.reached ? self : other
        joined.longest = [longest, other.longest].compactMap(\.self).max { $0.length < $1.length }
        return joined
    }
}

// As a report has it, and as one process tells it to another.
extension Saturation {
    var members: JSONObject {
        var members: JSONObject = ["reached": .number(reached), "wanted": .number(wanted)]
        if let longest {
            members["fromMs"] = .integer(longest.start.wholeMilliseconds)
            members["longestMs"] = .integer(longest.length.wholeMilliseconds)
        }
        return members
    }

    /// `nil` where that is no saturation.
    init?(_ members: JSONObject) {
        guard let reached = members["reached"]?.number, let wanted = members["wanted"]?.number
        else { return nil }
        self.init(reached: reached, wanted: wanted)
        guard let start = members["fromMs"]?.integer, let length = members["longestMs"]?.integer
        else { return }
        longest = Delay(start: .milliseconds(start), length: .milliseconds(length))
    }
}
