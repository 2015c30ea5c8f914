internal import Basics
internal import Connectivity
internal import DeviceDomain

/// Commands that another process sends, and somebody here waits for: they are read from the ledger.
final class CommandsOfOthers {
    private let followed: FollowedCommands
    private var follower = LedgerFollower()

    init(_ followed: FollowedCommands) { self.followed = followed }

    /// Follows a command in the ledger if another process sends it, for as long as somebody waits for it.
    /// - Returns: whether it does.
    func follow(_ record: CommandRecord) -> Bool {
        let intent = record.intent
        guard followed[record.id] == nil,
            followed.writer.ledger.isOfOthers(intent.home, of: intent.controller)
        else { return false }
        if follower.follow(record, at: followed.clock.now) { followed.work.enqueue(.readOthers) }
        return true
    }

    /// Reads the commands until nobody waits for any.
    func read() async {
        var unchanged = 0
        while !Task.isCancelled {
            await followed.clock.sleep(for: LedgerFollower.pauses.wait(after: unchanged))
            let wanted = follower.keep { id in
                followed[id] == nil
                    && (followed.waits.contain(id) || followed.watchers.contain(id))
            }
            guard !wanted.isEmpty else { return }
            do throws(LedgerError) {
                let records = try await followed.writer.ledger.records(of: wanted)
                let changed = follower.changed(in: records)
                for record in changed { tell(record) }
                unchanged = changed.isEmpty ? unchanged + 1 : 0
            } catch {
                followed.writer.countFailure()
                unchanged += 1
            }
            let now = followed.clock.now.elapsed
            for id in follower.abandoned(at: now) { followed.waits.giveUp(id) }
        }
    }

    private func tell(_ record: CommandRecord) {
        followed.watchers.tell(record)
        followed.waits.endReached(by: record)
    }
}
