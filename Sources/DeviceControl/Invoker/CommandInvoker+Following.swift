internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    /// Writes down what commands made of events, and does what follows.
    func perform(_ reactions: [Reaction]) async {
        await writeDown(reactions)
        let stopped = await record(reactions)
        for reaction in reactions {
            let id = reaction.command
            if !stopped.contains(id) { await perform(reaction.actions, for: id) }
            conclude(reaction)
        }
    }

    private func conclude(_ reaction: Reaction) {
        standInLine(reaction.command)
        tellWaiters(of: reaction.command, since: reaction.before)
    }

    /// After the actions: another process may have been faster, and its progress holds then.
    private func tellWaiters(of id: CommandID, since before: CommandProgress) {
        guard let tracked = commands[id] else { return }
        waits.endReached(by: tracked.lifecycle, of: id)
        if tracked.lifecycle.progress != before, let record = tracked.current {
            watchers.tell(record)
        }
    }

    // MARK: Actions

    func perform(_ actions: [LifecycleAction], for id: CommandID) async {
        for action in actions { await perform(action, for: id) }
    }

    private func perform(_ action: LifecycleAction, for id: CommandID) async {
        switch action {
        // Done before, together with other commands: see `record(_:)`.
        case .record: break
        case .requestTurn: stand(id, in: .ready)
        // Only the queue publishes: see `send(_:in:of:)`.
        case .publish: break
        case .readSettings: readSettings(for: id)
        case .ask: ask(about: id)
        case .report(let anomaly): await note(anomaly)
        }
    }

    // MARK: The ledger

    /// Writes what has changed into the ledger.
    /// - Returns: the commands whose actions no longer hold.
    private func record(_ reactions: [Reaction]) async -> Set<CommandID> {
        let recorded = reactions.filter(\.isToBeRecorded)
        let changes = changes(of: recorded)
        let unknown = Set(recorded.map(\.command)).subtracting(changes.map(\.command))
        guard !changes.isEmpty else { return unknown }
        do {
            let verdicts = try await ledger.advance(changes)
            return unknown.union(take(verdicts, on: changes, by: reactions))
        } catch {
            return unknown.union(take(error, on: changes, by: recorded))
        }
    }

    private func changes(of reactions: [Reaction]) -> [CommandChange] {
        reactions.compactMap { commands[$0.command]?.change }
    }

    /// - Returns: the commands whose changes another process overtook.
    private func take(
        _ verdicts: [AdvanceVerdict], on changes: [CommandChange], by reactions: [Reaction]
    ) -> Set<CommandID> {
        let overtaken = Set(zip(changes, verdicts).filter { !take($1, on: $0) }.map(\.0.command))
        // What a device told holds for the progress of the other process too.
        for reaction in reactions where overtaken.contains(reaction.command) {
            commands[reaction.command]?.events += reaction.events.filter(\.isTold)
        }
        return overtaken
    }

    /// - Returns: the commands that are not sent, because that is not in the ledger: they come back to the
    ///   queue.
    private func take(
        _ error: LedgerError, on changes: [CommandChange], by reactions: [Reaction]
    ) -> Set<CommandID> {
        counters.ledgerFailures += changes.count
        for change in changes { commands[change.command]?.ledgerFailure = error }
        let unsent = reactions.filter { $0.actions.contains(.requestTurn) }.map(\.command)
        for id in unsent { commands[id]?.events.append(.sendEnded(.neverLeft(error.message))) }
        return Set(unsent)
    }

    /// - Returns: whether the actions that follow the change still hold.
    private func take(_ verdict: AdvanceVerdict, on change: CommandChange) -> Bool {
        commands[change.command]?.note(written: change.events.count)
        commands[change.command]?.ledgerFailure = nil
        switch verdict {
        case .advanced:
            commands[change.command]?.note(recorded: change.progress.step)
            return true
        case .overtaken(let winner):
            commands[change.command]?.take(winner)
            commands[change.command]?.lifecycle.yield(to: winner.progress)
            return false
        }
    }

    /// Writes down what changes no progress. What comes with a change of the progress is written with it.
    private func writeDown(_ reactions: [Reaction]) async {
        let notes = reactions.filter { $0.hasNotes && !$0.isToBeRecorded }
            .map { (command: $0.command, log: commands[$0.command]?.unwritten ?? []) }
        do throws(LedgerError) {
            let log = notes.flatMap(\.log)
            if !log.isEmpty { try await ledger.append(log) }
            for note in notes { commands[note.command]?.note(written: note.log.count) }
            for evidence in reactions.flatMap(\.evidence) {
                _ = try await ledger.file(evidence, at: clock.now.wall)
            }
        } catch {
            counters.ledgerFailures += 1
        }
    }

    // MARK: Waking

    /// Sees to it that the command is woken at its next deadline; one wake at a time is enough.
    func arm(_ id: CommandID) {
        guard let tracked = commands[id] else { return }
        let retry = tracked.isUnrecorded ? clock.now.elapsed + Self.ledgerRetry : nil
        guard let due = [tracked.lifecycle.nextWake, retry].compactMap(\.self).min() else {
            tracked.armed = nil
            return
        }
        if let armed = tracked.armed, armed <= due { return }
        tracked.armed = due
        wake(.command(id), at: due)
    }

    func wake(_ sleeper: Sleeper, at due: Duration) {
        if wakes.add(sleeper, at: due) { enqueue(.sleep(until: due)) }
    }

    /// Sleeps, and wakes what is due then.
    func sleep(until due: Duration) async {
        await clock.sleep(until: due)
        guard !Task.isCancelled else { return }
        let (wakes, next) = wakes.sleepEnded(at: max(clock.now.elapsed, due), where: isWanted)
        // A command may be there twice.
        for wake in wakes where isWanted(wake) {
            switch wake.sleeper {
            case .command(let id): commands[id]?.armed = nil
            case .stored(let id): conversations[id]?.armed = nil
            }
            enqueue(.wake(wake.sleeper))
        }
        if let next { enqueue(.sleep(until: next)) }
    }

    private func isWanted(_ wake: WakeList<Sleeper>.Wake) -> Bool {
        switch wake.sleeper {
        case .command(let id): commands[id]?.armed == wake.due
        case .stored(let id): conversations[id]?.armed == wake.due
        }
    }

    // MARK: Anomalies and the end

    func note(_ anomaly: CommandAnomaly) async {
        if anomaly.kind == .foreignDevice { counters.foreignAcks += 1 }
        if anomaly.kind == .unknownCommand { counters.unknownAcks += 1 }
        guard anomaliesNoted < Self.notedAnomalies else {
            counters.unnotedAnomalies += 1
            return
        }
        anomaliesNoted += 1
        do {
            try await ledger.append([anomaly.logged(at: clock.now.wall)])
        } catch {
            counters.unnotedAnomalies += 1
        }
    }

    func forget(_ id: CommandID) {
        guard let tracked = commands.remove(id) else { return }
        for caller in tracked.quiet { caller.resume() }
        waits.end(id)
        watchers.end(id)
    }

    /// Settled commands are remembered for late callers, up to a number.
    func retireIfSettled(_ id: CommandID) {
        guard let tracked = commands[id], tracked.lifecycle.progress.isSettled,
            !tracked.isRemembered
        else { return }
        commands[id]?.isRemembered = true
        settledOrder.append(id)
        guard settledOrder.count > Self.rememberedCommands else { return }
        let oldest = settledOrder.removeFirst()
        if let old = commands[oldest], old.lifecycle.progress.isSettled { forget(oldest) }
    }
}

extension LifecycleEvent {
    /// Whether it is what a device said of the command.
    fileprivate var isTold: Bool {
        switch self {
        case .evidence, .answer(.told): true
        case .enqueued, .adopted, .reach, .overruled, .withdrawn, .turn, .settings, .applied,
            .sendEnded, .boot, .state, .answer, .wake:
            false
        }
    }
}
