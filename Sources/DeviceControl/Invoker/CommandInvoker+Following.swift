internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    /// Hands an event to a command and returns when its actions are done.
    func post(_ event: LifecycleEvent, to id: CommandID) async {
        guard commands[id] != nil else { return }
        commands[id]?.events.append(event)
        guard commands[id]?.isBusy == false else {
            await withCheckedContinuation { commands[id]?.quiet.append($0) ?? $0.resume() }
            return
        }
        commands[id]?.isBusy = true
        while let event = takeEvent(of: id) {
            await handle(event, by: id)
        }
        commands[id]?.isBusy = false
        becomeQuiet(id)
    }

    private func takeEvent(of id: CommandID) -> LifecycleEvent? {
        guard let event = commands[id]?.events.first else { return nil }
        // An empty array would keep its room.
        if commands[id]?.events.count == 1 {
            commands[id]?.events = []
        } else {
            commands[id]?.events.removeFirst()
        }
        return event
    }

    private func becomeQuiet(_ id: CommandID) {
        let quiet = commands[id]?.quiet ?? []
        commands[id]?.quiet = []
        for caller in quiet { caller.resume() }
        retireIfSettled(id)
    }

    private func handle(_ event: LifecycleEvent, by id: CommandID) async {
        guard var lifecycle = commands[id]?.lifecycle else { return }
        let before = lifecycle.progress
        let now = clock.now
        var actions = lifecycle.handle(event, at: now)
        commands[id]?.lifecycle = lifecycle
        if case .withdrawn(lifecycle.progress) = event {
            commands[id]?.note(recorded: lifecycle.progress.step)
        }
        if actions.contains(.record) {
            commands[id]?.keep(lifecycle.log(of: event, since: before, at: now))
        } else if event == .wake, commands[id]?.isUnrecorded == true {
            actions.insert(.record, at: 0)
        } else if !actions.contains(where: \.isReport) {
            await writeDown(event, lifecycle.log(of: event, since: before, at: now), at: now.wall)
        }
        await perform(actions, for: id)
        standInLine(id)
        arm(id)
        tellWaiters(of: id, since: before)
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

    private func perform(_ actions: [LifecycleAction], for id: CommandID) async {
        for action in actions {
            guard await perform(action, for: id, wantsTurn: actions.contains(.requestTurn)) else {
                break
            }
        }
    }

    /// - Parameter wantsTurn: whether what is recorded is about to be sent.
    /// - Returns: whether the actions that follow still hold.
    func perform(
        _ action: LifecycleAction, for id: CommandID, wantsTurn: Bool = false
    ) async -> Bool {
        switch action {
        case .record: return await record(id, wantsTurn: wantsTurn)
        case .requestTurn: stand(id, in: .ready)
        // Only the queue publishes: see `send(_:in:of:)`.
        case .publish: break
        case .readSettings: readSettings(for: id)
        case .ask: ask(about: id)
        case .report(let anomaly): await note(anomaly)
        }
        return true
    }

    private func record(_ id: CommandID, wantsTurn: Bool) async -> Bool {
        guard let tracked = commands[id], let step = tracked.recordedStep else { return false }
        let progress = tracked.lifecycle.progress
        let events = tracked.unwritten
        do {
            let verdict = try await ledger.advance(
                id, after: step, to: progress, because: events)
            commands[id]?.unwritten.removeFirst(events.count)
            commands[id]?.ledgerFailure = nil
            switch verdict {
            case .advanced:
                commands[id]?.note(recorded: progress.step)
                return true
            case .overtaken(let winner):
                commands[id]?.take(winner)
                commands[id]?.lifecycle.yield(to: winner.progress)
                return false
            }
        } catch {
            counters.ledgerFailures += 1
            commands[id]?.ledgerFailure = error
            // What is not in the ledger is not sent: the send comes back to the queue.
            if wantsTurn { commands[id]?.events.append(.sendEnded(.neverLeft(error.message))) }
            return !wantsTurn
        }
    }

    /// Writes down what changes no progress but belongs to the command's history.
    private func writeDown(_ event: LifecycleEvent, _ log: [LedgerEvent], at time: Timestamp) async
    {
        do throws(LedgerError) {
            switch event {
            case .evidence(let evidence):
                // A repetition says nothing new.
                if !evidence.isReplay { _ = try await ledger.file(evidence, at: time) }
            case .sendEnded, .answer: try await ledger.append(log)
            case .enqueued, .adopted, .reach, .overruled, .withdrawn, .turn, .settings, .applied,
                .boot, .state, .wake:
                break
            }
        } catch {
            counters.ledgerFailures += 1
        }
    }

    // MARK: Waking

    /// Sees to it that the command is woken at its next deadline; one wake at a time is enough.
    private func arm(_ id: CommandID) {
        guard let tracked = commands[id] else { return }
        let retry = tracked.isUnrecorded ? clock.now.elapsed + Self.ledgerRetry : nil
        guard let due = [tracked.lifecycle.nextWake, retry].compactMap(\.self).min() else { return }
        if let armed = tracked.armed, armed <= due { return }
        commands[id]?.armed = due
        if wakes.add(id, at: due) { enqueue(.sleep(until: due)) }
    }

    /// Sleeps, and wakes what is due then.
    func sleep(until due: Duration) async {
        await clock.sleep(until: due)
        guard !Task.isCancelled else { return }
        let (wakes, next) = wakes.sleepEnded(at: max(clock.now.elapsed, due))
        for wake in wakes where commands[wake.command]?.armed == wake.due {
            commands[wake.command]?.armed = nil
            enqueue(.wake(wake.command))
        }
        if let next { enqueue(.sleep(until: next)) }
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
    private func retireIfSettled(_ id: CommandID) {
        guard let tracked = commands[id], tracked.lifecycle.state.isSettled, !tracked.isRemembered
        else { return }
        commands[id]?.isRemembered = true
        settledOrder.append(id)
        guard settledOrder.count > Self.rememberedCommands else { return }
        let oldest = settledOrder.removeFirst()
        if let old = commands[oldest], old.lifecycle.state.isSettled { forget(oldest) }
    }
}

extension LifecycleAction {
    fileprivate var isReport: Bool { if case .report = self { true } else { false } }
}
