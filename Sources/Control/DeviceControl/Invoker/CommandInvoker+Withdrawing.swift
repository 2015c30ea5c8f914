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
    /// - Parameter evenIfKept: also a setting that the link kept for its device, where both were forgotten.
    /// - Returns: the command as it stands after that; unchanged where its outcome is not unknown, or it was
    ///   put away already.
    /// - Throws: ``ControlError``: `unknownID`, `ledger`.
    public func putAway(
        _ id: CommandID, evenIfKept: Bool = false
    ) async throws(ControlError) -> CommandRecord {
        do throws(LedgerError) {
            guard var record = try await ledger.record(of: id) else {
                throw LedgerError(.conflict, "the ledger has no command \(id)")
            }
            // Whoever follows it may change it meanwhile.
            while let change = CommandChange(
                puttingAway: record, evenIfKept: evenIfKept, at: clock.now.wall)
            {
                _ = try await ledger.advance([change])
                guard let latest = try await ledger.record(of: id) else { break }
                record = latest
            }
            await takeNote(of: record)
            return record
        } catch {
            throw ControlError(error)
        }
    }

    /// Holds back what new commands contradict, before they are sent themselves. A newer setting of one
    /// name needs that only where the link may keep it: by the order of sequence numbers a device tells
    /// commands apart, but no document.
    func overrule(by records: [CommandRecord]) async {
        for record in records where record.overrules {
            let earlier = followed[record.id]?.lane?.commands(contradictedBy: record) ?? []
            await followed.deliver(
                earlier.map { EventDelivery(.overruled(by: record.intent.name), to: $0.id) })
        }
    }

    // MARK: What the ledger withdrew

    /// Takes in what was withdrawn since the last call, by this process or another one.
    func takeWithdrawals() async {
        for record in await followed.withdrawals.news() { await takeNote(of: record) }
    }

    private func takeNote(of record: CommandRecord) async {
        if followed[record.id] != nil {
            await followed.deliver(.withdrawn(record.progress), to: record.id)
        } else if !record.progress.isWaiting {
            lanes[ConversationID(of: record)]?.forgetStored(record)
        }
    }

    /// Looks into the log every ``WithdrawalFollower/interval`` for as long as a command waits.
    func lookForWithdrawals() async {
        while followed.hasWaiting || lanes.values.contains(where: \.hasWaiting) {
            await clock.sleep(for: WithdrawalFollower.interval)
            guard !Task.isCancelled else { return }
            await takeWithdrawals()
        }
        followed.withdrawals.end()
    }
}

extension CommandRecord {
    fileprivate var overrules: Bool {
        (intent.offline == .barrier || intent.offline == .desired) && !state.isSettled
    }
}
