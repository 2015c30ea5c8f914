internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandLifecycle {
    mutating func told(
        by evidence: CommandEvidence, isAnswer: Bool, at moment: Moment
    ) -> [LifecycleAction] {
        if let anomaly = evidence.anomaly(for: intent) {
            // Such an answer is none; without this the question would stay open for ever.
            let rest = isAnswer ? unanswered("the answer cannot be used", at: moment) : []
            return [report(anomaly, evidence)] + rest
        }
        if evidence.isThrottling {
            if state.awaitsFirstAck {
                progress.code = evidence.code
                progress.message = evidence.message
            }
            return isAnswer ? unanswered("the answer cannot be used", at: moment) : []
        }
        if state.isFinal {
            if let anomaly = progress.contradiction(in: evidence) {
                return [report(anomaly, evidence)]
            }
            if evidence.provesEffect, !isObserved { progress.timings.observedAt = moment.wall }
            return []
        }
        if let ending = LifecyclePhase.Ending(evidence.stage) {
            phase = .ended(ending)
            progress.end(by: evidence, at: moment.wall)
            return []
        }
        return advanced(by: evidence, isAnswer: isAnswer, at: moment)
    }

    private mutating func advanced(
        by evidence: CommandEvidence, isAnswer: Bool, at moment: Moment
    ) -> [LifecycleAction] {
        let isNew = (evidence.n ?? .max) > progress.lastAck
        guard isAnswer || isNew else { return [] }
        let isOtherBoot = evidence.boot.map(isOther) ?? false
        let standing: LifecyclePhase.Standing =
            evidence.stage == .progress || state == .running ? .running : .accepted
        // A question about it stays.
        let question = isAnswer ? nil : phase.question
        if isNew || state == .unknown { progress.advance(by: evidence, at: moment.wall) }
        if let question {
            phase = .asking(standing, question)
        } else if let next = standing.phase(silentAt: terms.silence(after: moment)) {
            phase = next
        }
        if intent.sort != .action, terms.hasExpired(at: moment), question != .asked {
            loseTrack("\(intent.device) accepted the command, but did not report its end in time")
            return []
        }
        guard isOtherBoot, !isAnswer, question == nil else { return [] }
        return ask(standing, "\(intent.device) has restarted since")
    }

    /// Whether the device has restarted since it was last heard.
    func isOther(_ boot: BootID) -> Bool { progress.boot.map { $0 != boot } ?? false }

    func report(_ kind: CommandAnomaly.Kind, _ evidence: CommandEvidence?) -> LifecycleAction {
        .report(
            CommandAnomaly(
                kind, command: intent.id, device: evidence?.device ?? intent.device,
                evidence: evidence))
    }

    mutating func seen(revision: Int) -> [LifecycleAction] {
        seenRevision = max(revision, seenRevision ?? revision)
        return []
    }
}
