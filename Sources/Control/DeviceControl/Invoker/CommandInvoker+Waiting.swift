public import Connectivity
internal import DeviceDomain
public import DeviceMessages

extension CommandInvoker {
    /// Waits for a command.
    ///
    /// - Parameters:
    ///   - goal: what is waited for.
    ///   - limit: after this time the wait ends, the command goes on. Without a limit the wait
    ///     for the observation ends ``WaitGoal/usualObservation`` after the final acknowledgement.
    /// - Throws: ``ControlError``: `unknownID`, `ledger`, `notRunning` if the invoker stops, or
    ///   `cancelled` if the task is cancelled; the command goes on.
    public func outcome(
        of id: CommandID, goal: WaitGoal = .final, within limit: Duration? = nil
    ) async throws(ControlError) -> WaitResult {
        guard goal == .observed, limit == nil else { return try await wait(for: id, goal, limit) }
        let final = try await wait(for: id, .final, nil)
        guard final.record.state == .succeeded else { return final }
        return try await wait(for: id, .observed, WaitGoal.usualObservation)
    }

    /// Waits until nothing is due from the devices of these commands, at most for a time. Commands that
    /// this process does not follow are not waited for.
    public func settle(_ ids: [CommandID], within limit: Duration) async {
        let end = clock.now.elapsed + limit
        for id in ids where followed[id]?.lifecycle.isAnswerDue == true {
            let rest = max(.zero, end - clock.now.elapsed)
            guard (try? await wait(for: id, .noAnswerDue, rest)) != nil else { return }
        }
    }

    /// A command as it stands; `nil` if the ledger does not have it.
    public func record(of id: CommandID) async throws(ControlError) -> CommandRecord? {
        if let record = followed[id]?.current { return record }
        do {
            return try await ledger.record(of: id)
        } catch {
            throw ControlError(error)
        }
    }

    /// The record of a command now and at every change until it is final.
    ///
    /// A slow reader gets the newest record only. The stream of a command that nobody follows
    /// for this process ends after its present record; it is empty if the ledger does not have the command.
    public nonisolated func changes(of id: CommandID) -> BoundedStream<CommandRecord> {
        let stream = watchers.add(id)
        workAvailable.send(())
        return stream
    }

    // MARK: Waits

    private func wait(for id: CommandID, _ goal: WaitGoal, _ limit: Duration?)
        async throws(ControlError) -> WaitResult
    {
        let slot = WaitSlot(goal: goal)
        followed.waits.add(slot, for: id)
        defer {
            followed.waits.remove(slot, for: id)
            followed.rest(id)
        }
        if followed[id] == nil, let record = try await record(of: id) { await recall(record) }
        if let tracked = followed[id] {
            if goal.isReached(by: tracked.lifecycle), let record = tracked.current {
                return WaitResult(
                    record: record, isReached: true, unrecorded: tracked.unrecordedReason)
            }
        } else {
            let present = try await recorded(id, goal)
            guard !present.isReached, others.follow(present.record) else { return present }
        }
        try requireRunning()
        let end = await slot.end(within: limit, by: clock)
        switch end {
        case .reached, .timedOut:
            guard let tracked = followed[id], let record = tracked.current else {
                return try await recorded(id, goal)
            }
            return WaitResult(
                record: record, isReached: end == .reached, unrecorded: tracked.unrecordedReason)
        case .stopped:
            throw ControlError(.notRunning, "the invoker has stopped; the command \(id) goes on")
        case .cancelled:
            throw ControlError(.cancelled, "the wait was cancelled; the command \(id) goes on")
        }
    }

    /// Follows a command again that waits in the ledger alone.
    private func recall(_ record: CommandRecord) async {
        await lanes[ConversationID(of: record)]?.recall(record)
    }

    /// A command that this process does not follow is as the ledger has it.
    private func recorded(_ id: CommandID, _ goal: WaitGoal) async throws(ControlError)
        -> WaitResult
    {
        guard let found = try await record(of: id) else {
            throw ControlError(.unknownID, "the ledger has no command \(id)")
        }
        return WaitResult(
            record: found, isReached: goal.isReached(by: found.progress, of: found.intent))
    }

    // MARK: Streams

    /// Tells the streams that are new the present record.
    func presentNewcomers() {
        for (id, key) in watchers.takeNewcomers() {
            if let record = followed[id]?.current {
                watchers.present(record, to: key, of: id, isFollowed: true)
            } else {
                work.enqueue(.present(id, to: key))
            }
        }
    }

    /// Tells a stream of a command that is not followed what the ledger has.
    func present(_ id: CommandID, to key: Int) async {
        do throws(ControlError) {
            let record = try await record(of: id)
            if let record { await recall(record) }
            let isFollowed =
                followed[id] != nil
                || record.map { !$0.state.isFinal && others.follow($0) } == true
            watchers.present(record, to: key, of: id, isFollowed: isFollowed)
        } catch {
            followed.writer.countFailure()
            watchers.present(nil, to: key, of: id, isFollowed: false)
        }
    }
}

extension WaitSlot {
    /// Waits for the end, at most for a time.
    fileprivate func end(within limit: Duration?, by clock: any CommandClock) async -> End {
        guard let limit else { return await wait() }
        let due = clock.now.elapsed + limit
        return await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await clock.sleep(until: due)
                self.end(.timedOut)
            }
            let end = await wait()
            group.cancelAll()
            return end
        }
    }
}
