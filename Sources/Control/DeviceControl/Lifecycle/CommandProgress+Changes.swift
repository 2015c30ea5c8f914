internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// What receipts, evidence and the end of a command change. The state follows from the phase of the
/// lifecycle, which sets it.
extension CommandProgress {
    /// Whether the device has acknowledged the command at all.
    var wasHeard: Bool { lastAck > 0 || timings.acceptedAt != nil }

    /// It is known to have left; the first time counts.
    mutating func noteSent(at time: Timestamp) {
        mayHaveLeft = true
        timings.sentAt = timings.sentAt ?? time
    }

    /// It was sent, and nothing can show its effect (PROTOCOL section 4).
    mutating func close(at time: Timestamp) {
        noteSent(at: time)
        timings.closedAt = time
        message = "what it sets cannot be read, so nothing shows whether it took effect"
    }

    /// It is about to be written into the settings that the link keeps.
    mutating func noteWrite(of desiredRevision: Int) {
        self.desiredRevision = desiredRevision
        sends += 1
        message = ""
        // What is read back from now on is another document.
        timings.sentAt = nil
    }

    /// The write has ended. Settings that were not written leave their revision to another writer again, unless an
    /// earlier write may have made it.
    mutating func noteWriteEnded(_ result: SendResult) {
        if result.countsAsSend {
            if !result.isSurelyNotTaken { mayHaveLeft = true }
        } else {
            sends -= 1
            if !mayHaveLeft { desiredRevision = nil }
        }
    }

    /// It has ended for good.
    mutating func end(_ code: AckCode, _ message: String, at time: Timestamp) {
        self.code = code
        self.message = message
        timings.finalAt = time
        timings.closedAt = nil
    }

    // MARK: Evidence

    /// Takes in final evidence.
    mutating func end(by evidence: CommandEvidence, at time: Timestamp) {
        noteArrival(of: evidence, at: time)
        percent = nil
        result = evidence.result
        revision = evidence.revision
        end(evidence.code, evidence.message, at: time)
        if evidence.provesEffect { timings.observedAt = time }
    }

    /// Takes in evidence of a command that the device works on.
    mutating func advance(by evidence: CommandEvidence, at time: Timestamp) {
        noteArrival(of: evidence, at: time)
        code = evidence.code
        message = evidence.message
        percent = evidence.percent
    }

    private mutating func noteArrival(of evidence: CommandEvidence, at time: Timestamp) {
        noteSent(at: time)
        timings.closedAt = nil
        lastAck = max(lastAck, evidence.n ?? 0)
        boot = evidence.boot ?? boot
        if timings.acceptedAt == nil, !evidence.isFinal { timings.acceptedAt = time }
    }

    /// Whether a state of the device shows the effect: it has the revision of the final acknowledgement.
    func isEffect(in stateRevision: Int?) -> Bool {
        guard state == .succeeded, let revision, let stateRevision else { return false }
        return stateRevision >= revision
    }

    /// How evidence contradicts the end of the command, of which the first report holds; `nil` if it agrees.
    func contradiction(in evidence: CommandEvidence) -> CommandAnomaly.Kind? {
        guard let ending = LifecyclePhase.Ending(evidence.stage) else {
            let endedUnheard = (state == .refused || state == .expired) && !wasHeard
            return endedUnheard ? .ackAfterEnd : nil
        }
        if endedBeforeArrival, evidence.turnsDown { return nil }
        return state == ending.state && hasContent(of: evidence) ? nil : .contradictoryFinal
    }

    /// Whether it ended without reaching the device. After the answer `never` a device rejects the command when
    /// it arrives late, which agrees with that end.
    private var endedBeforeArrival: Bool {
        switch state {
        case .refused, .expired, .superseded, .cancelled: !wasHeard
        case .created, .queued, .sending, .sent, .accepted, .running, .succeeded, .failed,
            .rejected, .unknown:
            false
        }
    }

    /// Only acknowledgements of the device are compared beyond their stage: what a channel
    /// concludes has no message of the device.
    private func hasContent(of evidence: CommandEvidence) -> Bool {
        guard evidence.source == .device else { return true }
        return evidence.code == code && (lastAck == 0 || evidence.result == result)
    }
}

extension CommandEvidence {
    /// Whether the device could make no record of the command, so that this is no answer to it.
    var isThrottling: Bool { n == 0 && stage == .rejected && !isFinal }

    /// Whether the device says that it has not started the command and will not.
    fileprivate var turnsDown: Bool {
        source == .device && executions == 0 && (stage == .rejected || stage == .expired)
    }

    /// Why it cannot be evidence of a command; `nil` if it can.
    func anomaly(for intent: CommandIntent) -> CommandAnomaly.Kind? {
        if device != intent.device { return .foreignDevice }
        if code == .idReused { return .idReused }
        return isFinal == stage.isFinal || isThrottling ? nil : .inconsistentAck
    }
}
