import Basics
import DeviceDomain
import DeviceMessages
import Fleet
import HeapModule

/// The commands of a scenario that no ack has answered, and when each is sent again: with the same bytes after 1, 2, 4
/// and 8 s, ± 20 %, then every 8 s, until it expires and while its device is not known to be away (PROTOCOL section 4).
///
/// A value; times are of the monotonic clock, and expiry is of the wire clock.
struct UnansweredCommands {
    /// A command that no ack has answered.
    struct Command {
        /// What is sent.
        let message: CommandMessage
        /// To which device.
        let device: DeviceKey
        /// On which lane.
        let lane: CommandLane
        /// How often it was sent.
        fileprivate(set) var attempt = 0
        /// How many waits there were since its device could be reached.
        fileprivate var waits = 0
        /// When it is sent again; `nil` while it is not known.
        fileprivate var due: Duration?
    }

    private struct Due: Comparable {
        let time: Duration
        let id: CommandID

        static func < (left: Self, right: Self) -> Bool {
            (left.time, left.id) < (right.time, right.id)
        }
    }

    /// The waits before their scatter.
    private static let backoff = Backoff(first: .seconds(1), longest: .seconds(8))
    /// The scatter as a part of each wait.
    private static let scatter = 0.2

    private var commands: [CommandID: Command] = [:]
    /// Those of each device.
    private var ofDevices: [DeviceKey: Set<CommandID>] = [:]
    /// Devices that are known to have no connection.
    private var away: Set<DeviceKey> = []
    /// When commands are sent again. An entry that its command does not know any more is skipped.
    private var dues = Heap<Due>()
    private var generator: SeededGenerator

    /// - Parameter seed: what the scatter follows from.
    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// How many there are.
    var count: Int { commands.count }

    /// When the next one is sent again.
    var next: Duration? {
        mutating get {
            dropStale()
            return dues.min?.time
        }
    }

    // MARK: Commands

    /// A new command, which was not sent yet.
    mutating func add(_ message: CommandMessage, to device: DeviceKey, on lane: CommandLane) {
        commands[message.id] = Command(message: message, device: device, lane: lane)
        ofDevices[device, default: []].insert(message.id)
    }

    /// An ack has answered a command, or the broker has refused it: it is never sent again.
    mutating func remove(_ id: CommandID) {
        guard let command = commands.removeValue(forKey: id) else { return }
        ofDevices[command.device]?.remove(id)
        if ofDevices[command.device]?.isEmpty == true { ofDevices[command.device] = nil }
    }

    /// A command is sent now.
    /// - Returns: the command, with this attempt counted; `nil` for one that was answered.
    mutating func send(_ id: CommandID, at now: Duration) -> Command? {
        guard commands[id] != nil else { return nil }
        commands[id]?.attempt += 1
        scheduleNext(id, after: now)
        return commands[id]
    }

    /// Takes those that are to be sent again now, oldest first; those that have expired are forgotten.
    mutating func takeDue(at now: Duration, _ wire: Timestamp) -> [CommandID] {
        var ids: [CommandID] = []
        while let next, next <= now, let due = dues.popMin() {
            commands[due.id]?.due = nil
            if forgetExpired(due.id, wire) { continue }
            ids.append(due.id)
        }
        return ids
    }

    // MARK: The connection and devices

    /// There is no connection: nothing is sent, and nothing is heard of devices.
    mutating func connectionEnded() {
        dues = Heap()
        away = []
        for id in commands.keys { commands[id]?.due = nil }
    }

    /// There is a connection.
    /// - Returns: what is to be sent over it, oldest first; those that have expired are forgotten.
    mutating func connectionBegan(_ wire: Timestamp) -> [CommandID] {
        commands.keys.sorted().filter { !forgetExpired($0, wire) }
    }

    /// A device has gone: nothing is sent to it again until it is back.
    mutating func left(_ device: DeviceKey) {
        away.insert(device)
        for id in ofDevices[device] ?? [] { commands[id]?.due = nil }
    }

    /// A device is back: the waits begin again.
    mutating func returned(_ device: DeviceKey, at now: Duration) {
        guard away.remove(device) != nil else { return }
        for id in (ofDevices[device] ?? []).sorted() {
            commands[id]?.waits = 0
            scheduleNext(id, after: now)
        }
    }

    private mutating func scheduleNext(_ id: CommandID, after now: Duration) {
        guard let command = commands[id], !away.contains(command.device) else { return }
        let wait = Self.backoff.wait(
            after: command.waits, scatteredBy: Self.scatter, using: &generator)
        commands[id]?.waits += 1
        commands[id]?.due = now + wait
        dues.insert(Due(time: now + wait, id: id))
    }

    private mutating func forgetExpired(_ id: CommandID, _ wire: Timestamp) -> Bool {
        guard let command = commands[id], command.message.expiresAt < wire else { return false }
        remove(id)
        return true
    }

    private mutating func dropStale() {
        while let first = dues.min, commands[first.id]?.due != first.time { dues.removeMin() }
    }
}
