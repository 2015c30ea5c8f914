internal import Basics
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The commands that another process sends and somebody here waits for, as they were last read.
struct LedgerFollower {
    /// The pauses between two readings, the longer the less happens.
    static let pauses = Backoff(first: .milliseconds(20), longest: .seconds(1))
    /// How long after its time to start has passed a command that still waits is waited for. Then nobody is there to
    /// end it.
    static let patience = Duration.seconds(5)

    private struct Followed {
        var record: CommandRecord
        let giveUpAt: Duration
    }

    private var commands: [CommandID: Followed] = [:]
    private var isReading = false

    /// Follows a command.
    /// - Returns: whether the reading must begin, until ``keep(_:)`` finds nothing.
    mutating func follow(_ record: CommandRecord, at moment: Moment) -> Bool {
        if commands[record.id] == nil {
            let terms = CommandTerms(record.intent, traits: [], expiry: nil, at: moment)
            commands[record.id] = Followed(
                record: record, giveUpAt: terms.expiry + Self.patience)
        }
        defer { isReading = true }
        return !isReading
    }

    /// Follows no more than the commands that are still wanted.
    /// - Returns: them.
    mutating func keep(_ isWanted: (CommandID) -> Bool) -> [CommandID] {
        commands = commands.filter { isWanted($0.key) }
        isReading = !commands.isEmpty
        return Array(commands.keys)
    }

    /// Takes in what was read.
    /// - Returns: what has changed.
    mutating func changed(in records: [CommandRecord]) -> [CommandRecord] {
        let changed = records.filter { commands[$0.id]?.record != $0 }
        for record in changed { commands[record.id]?.record = record }
        return changed
    }

    /// The commands that wait although they may start no more: their home has no owner.
    func abandoned(at now: Duration) -> [CommandID] {
        commands.values.filter {
            now >= $0.giveUpAt && $0.record.progress.isWaiting && !$0.record.progress.isKept
        }
        .map(\.record.id)
    }
}
