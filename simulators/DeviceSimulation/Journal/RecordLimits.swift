import DeviceDomain
import DeviceMessages

/// How much a device remembers, and how long (PROTOCOL section 3).
enum RecordLimits {
    /// The most entries.
    static let capacity = 10_000
    /// Entries that only the urgent lane may take.
    static let urgentReserve = 100
    /// The most entries of one controller.
    static let capacityOfOneController = capacity / 2
    /// The most promises to one controller (PROTOCOL section 5).
    static let promisesToOneController = 200

    /// How long a promise is kept: the command may be valid for 24 h after it was written, which
    /// was before the promise, and clocks differ.
    static let lifeOfPromise = Duration.seconds(25 * 3600)
    private static let lifeOfQuery = Duration.seconds(120)
    private static let shortestLife = Duration.seconds(600)
    private static let margin = Duration.seconds(120)

    /// When the entry of a command may be evicted (wire clock).
    ///
    /// Counted from `issuedAt` where that is still to come, so that an entry always outlives its
    /// command's `expiresAt`.
    static func expiry(
        of command: CommandMessage, received: Timestamp, sessionExpiry: Duration
    ) -> Timestamp {
        guard command.name != .queryCommands, !command.dryRun else {
            return received.advanced(by: lifeOfQuery)
        }
        let validity = command.expiresAt.since(command.issuedAt)
        let life = max(max(validity, sessionExpiry) + margin, shortestLife)
        return max(received, command.issuedAt).advanced(by: life)
    }
}

extension DeviceJournalState {
    /// Whether an entry can be made for a command of this controller.
    func hasRoom(for controller: ControllerID, isUrgent: Bool) -> Bool {
        let limit = RecordLimits.capacity - (isUrgent ? 0 : RecordLimits.urgentReserve)
        return entries.count < limit
            && entryCounts[controller, default: 0] < RecordLimits.capacityOfOneController
    }

    /// The commands whose entries have reached the end of their life.
    ///
    /// An entry stays while its command has not ended, and while the broker has not confirmed its
    /// final ack.
    func evictable(at wire: Timestamp) -> [CommandKey] {
        entries.values
            .filter { $0.isFinished && $0.isConfirmed && $0.expiry < wire }
            .map(\.command).sorted()
    }

    /// Promises that have reached the end of their life, by controller.
    func releasable(at wire: Timestamp) -> [(ControllerID, [CommandID])] {
        promises.sorted { $0.key < $1.key }.compactMap { controller, ids in
            let over = ids.filter { wire.since($0.value) > RecordLimits.lifeOfPromise }
            return over.isEmpty ? nil : (controller, over.keys.sorted())
        }
    }
}
