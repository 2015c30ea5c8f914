internal import Connectivity
internal import DeviceDomain
public import DeviceMessages

extension CommandInvoker {
    /// Takes back a command that waits and has not left, of whichever process.
    /// - Returns: the command as it stands after that: `cancelled`, or unchanged where it does not
    ///   wait any more.
    /// - Throws: ``ControlError``: `unknownID`, `ledger`.
    public func withdraw(_ id: CommandID) async throws(ControlError) -> CommandRecord {
        let record: CommandRecord?
        do {
            record = try await ledger.withdraw(id)
        } catch {
            throw ControlError(error)
        }
        guard let record else {
            throw ControlError(.unknownID, "the ledger has no command \(id)")
        }
        await takeNote(of: record)
        return record
    }

    /// Puts a command away whose outcome is unknown: it stays `unknown`, and is no longer open.
    /// - Returns: the command as it stands after that; unchanged where its outcome is not unknown, or it was
    ///   put away already.
    /// - Throws: ``ControlError``: `unknownID`, `ledger`.
    public func putAway(_ id: CommandID) async throws(ControlError) -> CommandRecord {
        do throws(LedgerError) {
            guard let record = try await ledger.record(of: id) else {
                throw LedgerError(.conflict, "the ledger has no command \(id)")
            }
            guard let change = CommandChange(puttingAway: record, at: clock.now.wall) else {
                return record
            }
            _ = try await ledger.advance([change])
            let latest = try await ledger.record(of: id) ?? record
            await takeNote(of: latest)
            return latest
        } catch {
            throw ControlError(error)
        }
    }

    /// Holds back what new commands contradict, before they are sent themselves. A newer setting of one
    /// name needs that only where the link may keep it: by the order of sequence numbers a device tells
    /// commands apart, but no document.
    func overrule(by records: [CommandRecord]) async {
        for record in records where record.overrules {
            await post(
                contradicted(by: record).map { Post(.overruled(by: record.intent.name), to: $0) })
        }
    }

    /// The earlier commands of this process that may still be sent, in the order of acceptance. What
    /// is just being accepted, with the later one, is sent before it.
    private func contradicted(by later: CommandRecord) -> [CommandID] {
        guard let id = commands[later.id]?.conversation else { return [] }
        return openCommands(in: id).filter { earlier in
            guard let tracked = commands[earlier], let sequence = tracked.sequence,
                tracked.isAccepted
            else { return false }
            return sequence < later.prepared.sequence
                && later.intent.supersedes(tracked.lifecycle.intent)
        }
    }

    // MARK: What the ledger withdrew

    /// Learns where the log ends, before the first command is taken in.
    func findEndOfLog() async {
        if endOfLog == nil { await takeWithdrawals() }
    }

    /// Takes in what was withdrawn since the last call, by this process or another one.
    func takeWithdrawals() async {
        do {
            let news = try await ledger.withdrawals(after: endOfLog)
            endOfLog = max(endOfLog ?? 0, news.end)
            for record in news.records { await takeNote(of: record) }
        } catch {
            counters.ledgerFailures += 1
        }
    }

    private func takeNote(of record: CommandRecord) async {
        if commands.contain(record.id) {
            await post(.withdrawn(record.progress), to: record.id)
        } else if !record.progress.isWaiting {
            forgetStored(record)
        }
    }

    /// Sees to it that other processes' withdrawals are noticed while something waits.
    func followWithdrawals() {
        guard !followsWithdrawals else { return }
        followsWithdrawals = true
        enqueue(.followWithdrawals)
    }

    /// Looks into the log every ``CommandInvoker/withdrawalInterval`` for as long as a command waits.
    func lookForWithdrawals() async {
        while commands.values.contains(where: { $0.lifecycle.place == .waiting })
            || conversations.values.contains(where: { !$0.stored.isEmpty })
        {
            await clock.sleep(until: clock.now.elapsed + Self.withdrawalInterval)
            guard !Task.isCancelled else { return }
            await takeWithdrawals()
        }
        followsWithdrawals = false
    }
}

extension CommandRecord {
    fileprivate var overrules: Bool {
        (intent.offline == .barrier || intent.offline == .desired) && !state.isSettled
    }
}
