internal import Connectivity
internal import DeviceDomain
public import DeviceMessages

extension CommandInvoker {
    /// Waits for a command.
    ///
    /// - Parameters:
    ///   - goal: what is waited for.
    ///   - limit: after this time the wait ends, the command goes on. Without a limit the wait
    ///     for the observation ends ``WaitGoal/usualObservation`` after the final ack.
    /// - Throws: ``ControlError``: `unknownID`, `ledger`, or `cancelled` if the task is cancelled;
    ///   the command goes on.
    public func outcome(
        of id: CommandID, goal: WaitGoal = .final, within limit: Duration? = nil
    ) async throws(ControlError) -> WaitResult {
        guard goal == .observed, limit == nil else { return try await wait(for: id, goal, limit) }
        let final = try await wait(for: id, .final, nil)
        guard final.record.state == .succeeded else { return final }
        return try await wait(for: id, .observed, WaitGoal.usualObservation)
    }

    private func wait(for id: CommandID, _ goal: WaitGoal, _ limit: Duration?)
        async throws(ControlError) -> WaitResult
    {
        guard let tracked = commands[id] else { return try await recorded(id, goal) }
        if goal.isReached(by: tracked.lifecycle), let record = tracked.current {
            return WaitResult(record: record, isReached: true)
        }
        let slot = WaitSlot(goal: goal)
        commands[id]?.slots.append(slot)
        let end = await slot.end(within: limit, by: clock)
        commands[id]?.slots.removeAll { $0 === slot }
        switch end {
        case .reached, .timedOut:
            guard let record = commands[id]?.current else { return try await recorded(id, goal) }
            return WaitResult(record: record, isReached: end == .reached)
        case .cancelled:
            throw ControlError(.cancelled, "the wait was cancelled; the command \(id) goes on")
        }
    }

    /// A command that this process does not follow is as the ledger has it.
    private func recorded(_ id: CommandID, _ goal: WaitGoal) async throws(ControlError)
        -> WaitResult
    {
        let found: CommandRecord?
        do {
            found = try await ledger.record(of: id)
        } catch {
            throw ControlError(error)
        }
        guard let found else {
            throw ControlError(.unknownID, "the ledger has no command \(id)")
        }
        return WaitResult(record: found, isReached: found.state.isSettled)
    }

    func endWaits(for id: CommandID) {
        guard let tracked = commands[id] else { return }
        for slot in tracked.slots where slot.goal.isReached(by: tracked.lifecycle) {
            slot.end(.reached)
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
