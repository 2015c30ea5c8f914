internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandLifecycle {
    mutating func told(
        by evidence: CommandEvidence, isAnswer: Bool, at moment: Moment
    ) -> [LifecycleAction] {
        if let anomaly = anomaly(in: evidence) {
            // Such an answer is none; without this the question would stay open for ever.
            let rest = isAnswer ? unanswered("the answer cannot be used", at: moment) : []
            return [report(anomaly, evidence)] + rest
        }
        if isThrottling(evidence) {
            throttled(by: evidence)
            return isAnswer ? unanswered("the answer cannot be used", at: moment) : []
        }
        if state.isFinal { return compare(evidence, at: moment) }
        if let ending = LifecyclePhase.Ending(evidence.stage) {
            ended(ending, by: evidence, at: moment)
            return []
        }
        return advanced(by: evidence, isAnswer: isAnswer, at: moment)
    }

    private func anomaly(in evidence: CommandEvidence) -> CommandAnomaly.Kind? {
        if evidence.device != intent.device { return .foreignDevice }
        if evidence.code == .idReused { return .idReused }
        if evidence.isFinal != evidence.stage.isFinal, !isThrottling(evidence) {
            return .inconsistentAck
        }
        return nil
    }

    /// The device could make no record of the command, so this is no answer to it.
    private func isThrottling(_ evidence: CommandEvidence) -> Bool {
        evidence.n == 0 && evidence.stage == .rejected && !evidence.isFinal
    }

    private mutating func throttled(by evidence: CommandEvidence) {
        guard state.awaitsFirstAck else { return }
        progress.code = evidence.code
        progress.message = evidence.message
    }

    /// What a final state says to later evidence: the first one wins.
    private mutating func compare(_ evidence: CommandEvidence, at moment: Moment)
        -> [LifecycleAction]
    {
        guard let ending = LifecyclePhase.Ending(evidence.stage) else {
            return endedUnheard ? [report(.ackAfterEnd, evidence)] : []
        }
        if confirmsTheEnd(evidence) { return [] }
        guard phase == .ended(ending), hasSameContent(evidence) else {
            return [report(.contradictoryFinal, evidence)]
        }
        if evidence.provesEffect, !isObserved { progress.timings.observedAt = moment.wall }
        return []
    }

    /// Whether the command ended without a word of its device.
    private var endedUnheard: Bool {
        (phase == .ended(.refused) || phase == .ended(.expired)) && !wasHeard
    }

    /// Whether the device turns down a command that ended without reaching it. After the answer
    /// `never` a device rejects the command when it arrives late, which agrees with that end.
    private func confirmsTheEnd(_ evidence: CommandEvidence) -> Bool {
        guard !wasHeard, evidence.source == .device, evidence.executions == 0 else { return false }
        switch phase {
        case .ended(.refused), .ended(.expired), .ended(.superseded), .ended(.cancelled):
            return evidence.stage == .rejected || evidence.stage == .expired
        case .created, .queued, .sending, .storing, .sent, .accepted, .running, .asking, .unknown,
            .ended:
            return false
        }
    }

    /// Whether the device has acknowledged the command at all.
    var wasHeard: Bool { progress.lastAck > 0 || progress.timings.acceptedAt != nil }

    /// Only acknowledgements of the device are compared beyond their stage: what a channel
    /// concludes has no message of the device.
    private func hasSameContent(_ evidence: CommandEvidence) -> Bool {
        guard evidence.source == .device else { return true }
        return evidence.code == progress.code
            && (progress.lastAck == 0 || evidence.result == progress.result)
    }

    private mutating func ended(
        _ ending: LifecyclePhase.Ending, by evidence: CommandEvidence, at moment: Moment
    ) {
        noteArrival(of: evidence, at: moment)
        progress.percent = nil
        progress.result = evidence.result
        progress.revision = evidence.revision
        end(ending, evidence.code, evidence.message, at: moment)
        if evidence.provesEffect { progress.timings.observedAt = moment.wall }
    }

    private mutating func advanced(
        by evidence: CommandEvidence, isAnswer: Bool, at moment: Moment
    ) -> [LifecycleAction] {
        let isNew = (evidence.n ?? .max) > progress.lastAck
        guard isAnswer || isNew else { return [] }
        let isOtherBoot = isOther(evidence.boot)
        let standing = standing(after: evidence)
        let question = isAnswer ? nil : phase.question
        if isNew || state == .unknown { take(evidence, at: moment) }
        enter(standing, question, at: moment)
        if intent.sort != .action, hasExpired(at: moment), question != .asked {
            loseTrack("\(intent.device) accepted the command, but did not report its end in time")
            return []
        }
        guard isOtherBoot, !isAnswer, question == nil else { return [] }
        return ask(standing, "\(intent.device) has restarted since")
    }

    private func isOther(_ boot: BootID?) -> Bool {
        guard let boot, let last = progress.boot else { return false }
        return boot != last
    }

    private func standing(after evidence: CommandEvidence) -> LifecyclePhase.Standing {
        evidence.stage == .progress || state == .running ? .running : .accepted
    }

    /// Goes on with what the device works on, or stays with a question about it.
    private mutating func enter(
        _ standing: LifecyclePhase.Standing, _ question: LifecyclePhase.Question?,
        at moment: Moment
    ) {
        let silentAt = intent.sort == .action ? moment.elapsed + Self.longestSilence : nil
        if let question {
            phase = .asking(standing, question)
        } else {
            phase =
                standing == .running ? .running(silentAt: silentAt) : .accepted(silentAt: silentAt)
        }
    }

    private mutating func take(_ evidence: CommandEvidence, at moment: Moment) {
        noteArrival(of: evidence, at: moment)
        progress.code = evidence.code
        progress.message = evidence.message
        progress.percent = evidence.percent
    }

    private mutating func noteArrival(of evidence: CommandEvidence, at moment: Moment) {
        progress.mayHaveLeft = true
        progress.timings.closedAt = nil
        progress.lastAck = max(progress.lastAck, evidence.n ?? 0)
        progress.boot = evidence.boot ?? progress.boot
        if progress.timings.sentAt == nil { progress.timings.sentAt = moment.wall }
        if progress.timings.acceptedAt == nil, !evidence.isFinal {
            progress.timings.acceptedAt = moment.wall
        }
    }

    func report(_ kind: CommandAnomaly.Kind, _ evidence: CommandEvidence?) -> LifecycleAction {
        .report(
            CommandAnomaly(
                kind, command: intent.id, device: evidence?.device ?? intent.device,
                evidence: evidence))
    }

    // MARK: Observation

    mutating func seen(revision: Int) -> [LifecycleAction] {
        seenRevision = max(revision, seenRevision ?? revision)
        return []
    }

    /// The effect is seen when the state has the revision of the final acknowledgement.
    mutating func noteObservation(at moment: Moment) {
        guard phase == .ended(.succeeded), awaitsEffect, let revision = progress.revision,
            let seenRevision, seenRevision >= revision
        else { return }
        progress.timings.observedAt = moment.wall
    }
}
