public import DeviceControl
public import DeviceDomain
public import HomeModel
public import Observation

/// What is known of one device while the app runs: the newest state, the samples of a day, its trail
/// and its commands.
@MainActor @Observable
public final class DeviceMemory {
    /// How many commands are kept.
    public static let commandLimit = 20

    /// Names the device.
    public let id: DeviceID
    /// What is known of it.
    public private(set) var known: KnownDevice
    /// What a list shows of it.
    public private(set) var summary: DeviceSummary
    /// Its signals over the last day, by their names.
    public internal(set) var samples: [String: SampleSeries] = [:]
    /// When its latest sample was taken, by its own clock.
    public internal(set) var sampledAt: Timestamp?
    /// Where it has been.
    public internal(set) var drive = DriveTrail()
    /// What was sent to it, newest first.
    public internal(set) var commands: [CommandRecord] = []

    init(_ known: KnownDevice) {
        id = known.id
        self.known = known
        summary = DeviceSummary(known)
    }

    /// What it is called: its id where it has no name.
    public var name: String { summary.name }
    /// Where it has been, oldest first.
    public var trail: [FloorPoint] { drive.points }
    /// Whether it can be reached.
    public var presence: DevicePresence { summary.presence }
    /// How old what is known of it is.
    public var freshness: Freshness { Freshness(known) }

    func update(_ known: KnownDevice) {
        self.known = known
        // Observers are told of another value only.
        summary = DeviceSummary(known)
    }

    /// These commands were read from the ledger. What was heard of them meanwhile is newer, and stays.
    func update(_ commands: [CommandRecord]) {
        let newest = commands.map { read in
            self.commands.first { $0.id == read.id && read.progress.step < $0.progress.step }
                ?? read
        }
        // Assigning the same ones would let observers look again.
        if self.commands != newest { self.commands = newest }
    }

    /// One of its commands has moved, or is new.
    func update(_ command: CommandRecord) {
        guard let index = commands.firstIndex(where: { $0.id == command.id }) else {
            commands.insert(command, at: 0)
            if commands.count > Self.commandLimit { commands.removeLast() }
            return
        }
        // A slow reading of the ledger must not take back what was heard meanwhile.
        guard commands[index].progress.step < command.progress.step else { return }
        commands[index] = command
    }
}
