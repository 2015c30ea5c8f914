internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import KillPoints

extension DeviceLane {
    /// Waits for the end of the first attempt to listen, unless the device is known to be away.
    func firstAttempt() async {
        guard case .running = followed.work.operation, conversation.isStarting, reach != .offline
        else { return }
        await withCheckedContinuation { conversation.await($0) }
    }

    /// Listens to the device until the channel closes, the invoker stops, or listening is useless.
    func converse() async {
        let service = conversation.service
        // Before the attempt, so that nothing is missed.
        let messages = service.messages
        if await listens(to: conversation.device, over: service) {
            for await message in messages { await receive(message) }
            enter(.ended)
            await tellReach()
        }
        await service.disconnect()
    }

    /// Tries to listen, again and again where that may help.
    /// - Returns: whether the device is listened to.
    private func listens(to device: any Device, over service: any CommunicationService) async
        -> Bool
    {
        var pauses = ResendSchedule(seed: followed.generator.next())
        while !Task.isCancelled {
            do throws(CommunicationError) {
                try await service.connect(to: device)
                enter(.listening)
                await tellReach()
                return true
            } catch {
                enter(error.isRetriable ? .failing(error) : .refused(error))
                await tellReach()
                guard error.isRetriable else { return false }
            }
            await followed.clock.sleep(until: followed.clock.now.elapsed + pauses.next())
        }
        enter(.ended)
        return false
    }

    /// Enters another phase and resumes the callers that wait for the end of the first attempt.
    func enter(_ phase: DeviceConversation.Phase) {
        for starter in conversation.enter(phase) { starter.resume() }
    }

    /// Tells every open command whether it can be sent, in the order of acceptance.
    func tellReach() async {
        let reach = reach
        await followed.deliver(openCommands.map { EventDelivery(.reach(reach), to: $0.id) })
        await tellReachToStored()
    }

    // MARK: What the device says

    private func receive(_ observation: DeviceObservation) async {
        switch observation.content {
        case .evidence(let evidence): await receive(evidence)
        case .presence(let presence): await receive(presence)
        case .state(let state): await receive(state)
        case .cleared(.presence):
            conversation.losePresence()
            await tellReach()
        case .removed:
            conversation.leave()
            await tellReach()
        case .description(let profile): conversation.apply(profile)
        case .telemetry, .event, .cleared, .problem: break
        }
    }

    private func receive(_ presence: Presence) async {
        guard conversation.apply(presence) else { return }
        await tellReach()
        guard presence.status == .online, let boot = presence.boot else { return }
        await followed.deliver(openCommands.map { EventDelivery(.boot(boot), to: $0.id) })
    }

    private func receive(_ state: StateReport) async {
        if let applied = state.applied {
            conversation.apply(applied)
            let kept = commands.values.filter(\.lifecycle.isKept)
            await followed.deliver(kept.map { EventDelivery(.applied(applied), to: $0.id) })
        }
        guard let revision = state.revision else { return }
        conversation.apply(revision: revision)
        let concerned = commands.values.filter(\.awaitsState)
        await followed.deliver(
            concerned.map { EventDelivery(.state(revision: revision), to: $0.id) })
    }

    private func receive(_ evidence: CommandEvidence) async {
        KillPoint.ackReceived.pass()
        if followed[evidence.id] != nil {
            await followed.enqueue(.evidence(evidence), to: evidence.id)
        } else {
            await receiveLate(evidence)
        }
    }

    /// Evidence of a command that this process does not follow.
    private func receiveLate(_ evidence: CommandEvidence) async {
        let writer = followed.writer
        do {
            guard let record = try await writer.ledger.record(of: evidence.id) else {
                return await note(.unknownCommand, evidence)
            }
            guard record.intent.device == evidence.device else {
                return await note(.foreignDevice, evidence)
            }
            if await recall(record, for: .evidence(evidence)) { return }
            // An open one is followed by the process that owns it, or by the one that will adopt it.
            guard record.state.isSettled else {
                _ = try await writer.ledger.file(evidence, at: followed.clock.now.wall)
                return
            }
            followed.follow(record, in: self)
            // Where the action goes on, its device may have to be asked later.
            await followed.deliver(.reach(reach), to: evidence.id)
            await followed.deliver(.evidence(evidence), to: evidence.id)
        } catch {
            writer.countFailure()
        }
    }

    private func note(_ kind: CommandAnomaly.Kind, _ evidence: CommandEvidence) async {
        await followed.writer.note(
            CommandAnomaly(
                kind, command: evidence.id, device: evidence.device, evidence: evidence))
    }
}
