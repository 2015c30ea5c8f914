internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import KillPoints

extension CommandInvoker {
    func receive(_ observation: DeviceObservation, in id: ConversationID) async {
        switch observation.content {
        case .evidence(let evidence): await receive(evidence, in: id)
        case .presence(let presence): await receive(presence, in: id)
        case .state(let state): await receive(state, in: id)
        case .cleared(.presence):
            conversations[id]?.losePresence()
            await tellReach(in: id)
        case .removed:
            conversations[id]?.leave()
            await tellReach(in: id)
        case .description(let profile): conversations[id]?.hear(profile)
        case .telemetry, .event, .cleared, .problem: break
        }
    }

    private func receive(_ presence: Presence, in id: ConversationID) async {
        guard conversations[id]?.hear(presence) == true else { return }
        await tellReach(in: id)
        guard presence.status == .online, let boot = presence.boot else { return }
        await post(openCommands(in: id).map { Post(.boot(boot), to: $0) })
    }

    private func receive(_ state: StateReport, in id: ConversationID) async {
        if let applied = state.applied {
            conversations[id]?.hear(applied)
            let kept = commands.members(of: id).filter(\.lifecycle.isKept)
            await post(kept.map { Post(.applied(applied), to: $0.lifecycle.intent.id) })
        }
        guard let revision = state.revision else { return }
        conversations[id]?.hear(revision: revision)
        let concerned = commands.members(of: id).filter(\.awaitsState)
        await post(
            concerned.map { Post(.state(revision: revision), to: $0.lifecycle.intent.id) })
    }

    private func receive(_ evidence: CommandEvidence, in id: ConversationID) async {
        KillPoint.ackReceived.pass()
        if commands.contain(evidence.id) {
            await postSoon(.evidence(evidence), to: evidence.id)
        } else {
            await receiveLate(evidence, in: id)
        }
    }

    /// Evidence of a command that this process does not follow.
    private func receiveLate(_ evidence: CommandEvidence, in id: ConversationID) async {
        do {
            guard let record = try await ledger.record(of: evidence.id) else {
                return await note(.unknownCommand, evidence)
            }
            guard record.intent.device == evidence.device else {
                return await note(.foreignDevice, evidence)
            }
            if await recall(record, for: .evidence(evidence)) { return }
            // An open one is followed by the process that owns it, or by the one that will adopt it.
            guard record.state.isSettled else {
                _ = try await ledger.file(evidence, at: clock.now.wall)
                return
            }
            follow(record, in: id)
            // Where the action goes on, its device may have to be asked later.
            await post(.reach(reach(in: id)), to: evidence.id)
            await post(.evidence(evidence), to: evidence.id)
        } catch {
            counters.ledgerFailures += 1
        }
    }

    private func note(_ kind: CommandAnomaly.Kind, _ evidence: CommandEvidence) async {
        await note(
            CommandAnomaly(
                kind, command: evidence.id, device: evidence.device, evidence: evidence))
    }

    /// Takes a command of the ledger into care.
    /// - Parameter expiry: when its time to start ends, where that is known by the monotonic clock.
    func follow(_ record: CommandRecord, in id: ConversationID?, expiry: Duration? = nil) {
        guard commands[record.id] == nil else { return }
        let conversation = id.flatMap { conversations[$0] }
        let lifecycle = CommandLifecycle(
            record.intent, traits: conversation?.communicator.traits ?? [],
            progress: record.progress, seenRevision: conversation?.revision, expiry: expiry,
            at: clock.now, seed: generator.next())
        commands.insert(
            TrackedCommand(lifecycle: lifecycle, conversation: id, record: record))
    }
}
