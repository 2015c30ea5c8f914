package import DeviceDomain

/// The world clock of a running fleet at one moment.
package struct WorldReading: Hashable, Sendable {
    /// What it shows.
    package let instant: Timestamp
    /// World seconds per second, while it goes on.
    package let speed: Double
    /// Whether it stands still.
    package let isPaused: Bool

    package init(instant: Timestamp, speed: Double, isPaused: Bool) {
        self.instant = instant
        self.speed = speed
        self.isPaused = isPaused
    }

    init(_ members: LineMembers) throws(LocalServicesError) {
        guard let instant = try members.timestamp("world") else {
            throw LocalServicesError(.malformed, "a world clock without its time")
        }
        self.init(
            instant: instant, speed: try members.number("speed"),
            isPaused: try members.boolean("paused"))
    }

    /// As JSON.
    package var members: JSONObject {
        [
            "world": .integer(instant.milliseconds), "speed": .number(speed),
            "paused": .boolean(isPaused),
        ]
    }
}
