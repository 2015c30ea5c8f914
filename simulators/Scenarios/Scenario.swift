package import DeviceDomain
package import Fleet

/// A run as a file describes it: homes, what happens in them, and what must hold.
///
/// All times are world time from the epoch.
package struct Scenario: Sendable {
    /// What people call it; `nil` for nothing.
    package var name: String?
    /// What everything random derives from; `nil` for that of the run.
    package var seed: UInt64?
    /// What the world clock shows at first; `nil` for now.
    package var epoch: Timestamp?
    /// How long it takes; `nil` where neither it nor its stages say so.
    package var duration: Duration?
    /// How fast its world goes; `nil` as the run says.
    package var speed: WorldSpeed?
    /// How many homes there are.
    package var homes = 1
    /// How many regions of weather there are.
    package var regions = 1
    /// The devices of each home.
    package var groups: [PlannedGroup] = []
    /// How devices come and go.
    package var stages: [Stage] = []
    /// What is sent to devices.
    package var commands: [Command] = []
    /// What befalls them.
    package var faults: [FaultItem] = []
    /// What must hold.
    package var assertions: [Assertion] = []
    /// The text of the file.
    package var text = ""

    package init() {}
}

extension Scenario {
    /// A part of a run in which devices come, stay or go.
    package struct Stage: Hashable, Sendable {
        /// How many devices come or go in what time.
        package enum Flow: Hashable, Sendable {
            /// So many per second, as long as there are any.
            case perSecond(Double)
            /// All of them, spread evenly over this time.
            case within(Duration)
        }

        /// What it is called.
        package var name: String
        /// How long it takes.
        package var duration: Duration
        /// How devices come.
        package var connect: Flow?
        /// How devices go.
        package var disconnect: Flow?
    }

    /// A command that is sent once or again and again.
    package struct Command: Hashable, Sendable {
        /// When it is sent first.
        package var at: Duration
        /// From one time to the next; `nil` for once.
        package var every: Duration?
        /// How much later each is sent at most; each device draws its own.
        package var jitter: Duration
        /// When it is no longer sent; `nil` for the end of the run.
        package var until: Duration?
        /// To which devices.
        package var target: String
        /// Its name.
        package var name: CommandName
        /// Its arguments.
        package var arguments: JSONObject
        /// The lane; `nil` for the one that the device declares.
        package var lane: CommandLane?
    }

    /// A fault that befalls devices at a time, or at random times.
    package struct FaultItem: Hashable, Sendable {
        /// When it begins.
        package enum Time: Hashable, Sendable {
            /// At this time.
            case at(Duration)
            /// So often per device and hour, at random.
            case rate(Double)
        }

        /// What it is, and how long it lasts.
        package var order: FaultOrder
        /// Which devices may have it.
        package var target: String
        /// Which part of them has it, above 0 up to 1.
        package var share: Double
        /// When it begins.
        package var time: Time
    }

    /// Something that must hold.
    package struct Assertion: Hashable, Sendable {
        /// What it is called.
        package var name: String
        /// What it is about.
        package var metric: Metric
        /// Whose; `nil` for all devices.
        package var target: String?
        /// When it is looked at; `nil` for the end of the run.
        package var at: Duration?
        /// From when on; `nil` for the beginning, or for one instant.
        package var from: Duration?
        /// Until when; `nil` for the end, or for one instant.
        package var to: Duration?
        /// The least that is right.
        package var least: Double?
        /// The most that is right.
        package var most: Double?
    }
}
