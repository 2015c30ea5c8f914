package import DeviceDomain

/// What is to happen to the devices of a fleet at times of their world: what a scenario asks for.
package struct FleetScript: Sendable {
    /// Something that happens to a device by itself.
    package enum Event: Hashable, Sendable {
        /// A fault begins or ends.
        case fault(FaultOrder)
        /// It comes onto the broker.
        case arrive
        /// It says that it goes offline, and leaves the broker until it is to come again.
        case depart
    }

    /// An event of a device.
    package struct Entry: Hashable, Sendable {
        /// World time from the epoch.
        package let at: Duration
        /// The device that it happens to.
        package let device: DeviceKey
        /// What happens.
        package let event: Event

        package init(at: Duration, device: DeviceKey, _ event: Event) {
            self.at = at
            self.device = device
            self.event = event
        }
    }

    /// What happens to devices, in the order of time.
    package let entries: [Entry]
    /// The commands that are sent to them, in the order of time.
    package let commands: [ScriptedCommand]
    /// Whether devices stay off the broker until they are to come.
    package let waitsForArrivals: Bool
    /// World times from the epoch at which a run without a broker notes what was found of the invariants.
    package var checkpoints: [Duration] = []

    /// - Parameter waitsForArrivals: whether devices stay off the broker until they are to come.
    package init(
        entries: [Entry] = [], commands: [ScriptedCommand] = [], waitsForArrivals: Bool = false
    ) {
        self.entries = entries.sorted { ($0.at, $0.device) < ($1.at, $1.device) }
        self.commands = commands.sorted { ($0.at, $0.device) < ($1.at, $1.device) }
        self.waitsForArrivals = waitsForArrivals
    }

    /// The part of it that is about these devices.
    package func part(of devices: Set<DeviceKey>) -> FleetScript {
        var part = FleetScript(
            entries: entries.filter { devices.contains($0.device) },
            commands: commands.filter { devices.contains($0.device) },
            waitsForArrivals: waitsForArrivals)
        part.checkpoints = checkpoints
        return part
    }
}

/// A command that is sent at a time of the world, whatever became of others.
package struct ScriptedCommand: Hashable, Sendable {
    /// World time from the epoch.
    package let at: Duration
    /// The device that it is for.
    package let device: DeviceKey
    /// Its name.
    package let name: CommandName
    /// Its arguments.
    package let arguments: JSONObject
    /// The lane that it is sent on.
    package let lane: CommandLane
    /// What its id derives from.
    package let seed: UInt64

    package init(
        at: Duration, device: DeviceKey, name: CommandName, arguments: JSONObject,
        lane: CommandLane, seed: UInt64
    ) {
        self.at = at
        self.device = device
        self.name = name
        self.arguments = arguments
        self.lane = lane
        self.seed = seed
    }
}
