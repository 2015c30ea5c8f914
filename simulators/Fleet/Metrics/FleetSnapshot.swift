/// What a fleet looks like at one moment, for metrics and readiness.
package struct FleetSnapshot: Sendable, Equatable {
    /// What a device is and does.
    package struct Activity: Hashable, Comparable, Sendable {
        /// Its kind.
        package let kind: String
        /// What it is doing, in a word.
        package let name: String

        package init(kind: String, name: String) {
            self.kind = kind
            self.name = name
        }

        package static func < (left: Self, right: Self) -> Bool {
            (left.kind, left.name) < (right.kind, right.name)
        }
    }

    /// All devices.
    package var totalDevices = 0
    /// Devices that are connected and whose retained topics the broker has confirmed.
    package var readyDevices = 0
    /// Devices with an accepted connection.
    package var connectedDevices = 0
    /// Devices that will not connect again.
    package var abandonedDevices = 0
    /// Devices by what they do.
    package var activities: [Activity: Int] = [:]
    /// What was counted since the start.
    package var tally = FleetTally()
    /// The journal's length.
    package var journalBytes = 0
    /// Devices that have a fault, by its name.
    package var faults: [String: Int] = [:]
    /// How late samples were made.
    package var lateness = MillisecondHistogram()
    /// How long commands took, from their arrival at the device to their last acknowledgement.
    package var commandLatency = MillisecondHistogram()
    /// How far the world has gone, in seconds of its clock.
    package var worldSeconds = 0.0
    /// The speed that was reached last, as a share of the one that was asked for.
    package var speedRatio = 1.0

    package init() {}

    /// Whether every device is ready.
    package var isReady: Bool { totalDevices > 0 && readyDevices == totalDevices }
}

/// Counters of a fleet; they only rise.
package struct FleetTally: Sendable, Equatable {
    /// Messages that came, by kind of topic.
    package var received: [String: Int] = [:]
    /// Messages that were handed to a connection, by kind of topic.
    package var sent: [String: Int] = [:]
    /// What was dropped or ignored, by reason.
    package var dropped: [String: Int] = [:]
    /// Connections beyond each device's first.
    package var reconnects = 0
    /// Records written to the journal.
    package var journalRecords = 0
    /// How often invariants of the world did not hold, by name; those that held are there with 0.
    package var violations: [String: Int] = [:]

    package init() {}

    /// All messages that came or were handed to a connection.
    package var messages: Int {
        received.values.reduce(0, +) + sent.values.reduce(0, +)
    }
}
