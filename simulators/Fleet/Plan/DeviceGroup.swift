/// What devices of one group have in common beside their kind: a group is what a scenario names under
/// `devices`, or the devices of one kind of a run without a scenario.
package struct DeviceGroup: Hashable, Sendable {
    /// What the names of its devices begin with: `sweeper` for `sweeper-1`.
    package let name: String
    /// World time between samples of one device; `nil` for that of the run.
    package var telemetryInterval: Duration?
    /// How its devices connect again; `nil` as those of the run do.
    package var reconnect: ReconnectRule?
    /// The access point of each home over which they connect, as a target of faults; `nil` for none of a name.
    package var accessPoint: String?
    /// The feeder of the street that their home hangs on, as a target of faults; `nil` for none of a name.
    package var feeder: String?
    /// Whether its devices keep their samples while they are offline, at most the newest 720 of each, and send
    /// them late.
    package var buffersOffline = false
    /// Numbers of the model that its devices have instead, by the names under which `homeport-sim models` prints
    /// them: each device draws its own from the range.
    package var parameters: [String: ClosedRange<Double>] = [:]

    package init(name: String) { self.name = name }
}
