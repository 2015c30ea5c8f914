internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel

/// What pages show of one device.
@MainActor
final class DeviceState {
    /// How many places of a robot are kept: an hour and more of samples every 5 s.
    static let longestTrail = 1_000
    /// How many commands are shown.
    static let commandLimit = 20

    let id: DeviceID
    /// What is known of it.
    @Tracked private(set) var known: KnownDevice
    /// Its signals over the last day, by their names.
    @Tracked private(set) var samples: [String: SampleSeries] = [:]
    /// The moment of its latest sample, by its own clock.
    @Tracked private(set) var sampledAt: Timestamp? = nil
    /// Where it has been, oldest first.
    @Tracked private(set) var trail: [FloorDrawing.Point] = []
    /// What was sent to it, newest first.
    @Tracked private(set) var commands: [CommandRecord] = []

    init(_ known: KnownDevice) {
        id = known.id
        _known = Tracked(wrappedValue: known)
    }

    /// What it is called.
    var name: String { known.profile?.name ?? id.text }

    /// It is known anew.
    func update(_ known: KnownDevice) { if self.known != known { self.known = known } }

    /// The latest sample is added to the charts.
    func addSample() {
        guard let sample = known.telemetry, let moment = sample.at ?? known.heardAt else { return }
        for (name, value) in sample.values {
            if let number = value.number {
                samples[name, default: SampleSeries()].add(number, at: moment)
            }
        }
        sampledAt = moment
        if let x = sample.values["x"]?.number, let y = sample.values["y"]?.number {
            move(to: FloorDrawing.Point(x: x, y: y))
        }
    }

    private func move(to point: FloorDrawing.Point) {
        guard trail.last != point else { return }
        trail.append(point)
        if trail.count > Self.longestTrail { trail.removeFirst(trail.count - Self.longestTrail) }
    }

    /// Its commands were read from the ledger.
    func update(_ commands: [CommandRecord]) {
        if self.commands != commands { self.commands = commands }
    }

    /// One of its commands has moved, or is new.
    func update(_ command: CommandRecord) {
        if let index = commands.firstIndex(where: { $0.id == command.id }) {
            if commands[index] != command { commands[index] = command }
        } else {
            commands.insert(command, at: 0)
            if commands.count > Self.commandLimit { commands.removeLast() }
        }
    }
}
