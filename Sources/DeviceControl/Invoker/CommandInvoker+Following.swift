internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    /// Hands an event to a command and returns when its actions are done.
    func post(_ event: LifecycleEvent, to id: CommandID) async {
        guard commands[id] != nil else { return }
        commands[id]?.events.append(event)
        guard commands[id]?.isBusy == false else {
            await withCheckedContinuation { commands[id]?.quiet.append($0) }
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
        guard commands[id]?.events.isEmpty == false else { return nil }
        return commands[id]?.events.removeFirst()
    }

    private func becomeQuiet(_ id: CommandID) {
        let quiet = commands[id]?.quiet ?? []
        commands[id]?.quiet = []
        for caller in quiet { caller.resume() }
        retireIfSettled(id)
    }

    private func handle(_ event: LifecycleEvent, by id: CommandID) async {
        guard var lifecycle = commands[id]?.lifecycle else { return }
        let actions = lifecycle.handle(event, at: clock.now)
        commands[id]?.lifecycle = lifecycle
        var actionsLeft = actions[...]
        if event == .wake, !actions.contains(.record), commands[id]?.isUnrecorded == true {
            actionsLeft = [.record] + actionsLeft
        }
        for action in actionsLeft {
            guard await perform(action, for: id, because: event.ack) else { break }
        }
        arm(id)
        endWaits(for: id)
    }

    /// - Returns: whether the actions that follow still hold.
    func perform(
        _ action: LifecycleAction, for id: CommandID, because ack: AckMessage? = nil
    ) async -> Bool {
        switch action {
        case .record: return await record(id, because: ack)
        case .publish(let attempt): publish(id, attempt: attempt)
        case .ask: ask(about: id)
        case .report(let anomaly): await note(anomaly)
        }
        return true
    }

    private func record(_ id: CommandID, because ack: AckMessage?) async -> Bool {
        guard let tracked = commands[id], let record = tracked.record else { return false }
        let progress = tracked.lifecycle.progress
        do {
            switch try await ledger.advance(id, from: record.progress, to: progress, because: ack) {
            case .advanced:
                commands[id]?.record?.progress = progress
                return true
            case .overtaken(let winner):
                commands[id]?.record = winner
                commands[id]?.lifecycle.yield(to: winner.progress)
                return false
            }
        } catch {
            counters.ledgerFailures += 1
            // What is not in the ledger is not sent: the send comes back to the queue.
            if progress.state == .sending {
                commands[id]?.events.append(.sendEnded(.notHandedOver(error.message)))
            }
            return progress.state != .sending
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
        enqueue(.wake(id, at: due))
    }

    func wake(_ id: CommandID, at due: Duration) async {
        await clock.sleep(until: due)
        guard !Task.isCancelled, commands[id]?.armed == due else { return }
        commands[id]?.armed = nil
        await post(.wake, to: id)
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
            try await ledger.note(anomaly)
        } catch {
            counters.unnotedAnomalies += 1
        }
    }

    func forget(_ id: CommandID) {
        guard let tracked = commands.removeValue(forKey: id) else { return }
        for caller in tracked.quiet { caller.resume() }
        for slot in tracked.slots { slot.end(.reached) }
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

extension LifecycleEvent {
    /// The ack that the event carries.
    fileprivate var ack: AckMessage? {
        switch self {
        case .ack(let ack), .answer(.known(let ack)): ack
        case .enqueued, .adopted, .reach, .sendEnded, .boot, .state, .answer, .wake, .abandoned:
            nil
        }
    }
}
