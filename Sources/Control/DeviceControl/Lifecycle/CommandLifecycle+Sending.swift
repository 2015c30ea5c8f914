internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandLifecycle {
    mutating func enqueued(_ reach: Reach, at moment: Moment) -> [LifecycleAction] {
        guard phase == .created else { return [] }
        self.reach = reach
        phase = .queued(retryAt: nil)
        explainWaiting(at: moment)
        return sendIfPossible(at: moment)
    }

    mutating func reachChanged(to reach: Reach, at moment: Moment) -> [LifecycleAction] {
        let hadLink = hasLink
        self.reach = reach
        if !hasLink { hearsSinceWrite = false }
        if isKept, !hadLink, hasLink { return readMissed() }
        switch phase {
        case .queued:
            explainWaiting(at: moment)
            return sendIfPossible(at: moment)
        case .sending(.inLane) where reach != .reachable:
            leaveLane()
            explainWaiting(at: moment)
        case .sending(let transmission):
            phase = .sending(next(after: transmission, at: moment))
        case .sent(let transmission):
            phase = .sent(next(after: transmission, at: moment))
        case .asking: return askIfPossible()
        case .accepted, .running: mayMissAcks()
        case .created, .storing, .unknown, .ended: break
        }
        return []
    }

    /// Without a link acknowledgements are lost: nobody keeps them for a controller. So the device is
    /// queried when it can be reached again.
    private mutating func mayMissAcks() {
        guard case .linkDown = reach, traits.contains(.asking), let standing = phase.standing else {
            return
        }
        phase = .asking(standing, .wanted(at: nil))
    }

    /// What a changed reach makes of a planned resend.
    private mutating func next(
        after transmission: LifecyclePhase.Transmission, at moment: Moment
    ) -> LifecyclePhase.Transmission {
        switch transmission {
        case .inLane where reach != .reachable:
            progress.sends -= 1
            return .paused
        case .due where reach != .reachable: return .paused
        case .paused where reach == .reachable:
            resends.restart()
            return .due(at: moment.elapsed + resends.next())
        case .inLane, .underWay, .due, .paused, .over: return transmission
        }
    }

    /// The command was not handed over: it does not count as a send.
    private mutating func leaveLane() {
        progress.sends -= 1
        phase = .queued(retryAt: nil)
    }

    /// Says why the command waits, or ends one that does not wait.
    mutating func explainWaiting(at moment: Moment) {
        guard case .queued = phase else { return }
        switch reach {
        case .reachable: return
        case .linkDown(let reason):
            if !reason.isEmpty { progress.message = reason }
        case .offline:
            progress.message = "\(intent.device) is offline"
            guard intent.offline == .failFast, !progress.mayHaveLeft else { return }
            end(.refused, .notReady, "\(intent.device) is offline; try again later", at: moment)
        case .refused(let code, let reason):
            progress.message = reason
            if !progress.mayHaveLeft { end(.refused, code, reason, at: moment) }
        }
    }

    /// Gets in line for the link if nothing speaks against it.
    mutating func sendIfPossible(at moment: Moment) -> [LifecycleAction] {
        if overruling != nil { return leaveToLater(at: moment) }
        guard !hasExpired(at: moment) else { return [] }
        if isToBeKept { return readSettings() }
        guard reach == .reachable else { return [] }
        switch phase {
        case .queued:
            progress.message = ""
            phase = .sending(.inLane)
        case .sending(.due): phase = .sending(.inLane)
        case .sent(.due): phase = .sent(.inLane)
        case .created, .sending, .storing, .sent, .accepted, .running, .asking, .unknown, .ended:
            return []
        }
        progress.sends += 1
        return []
    }

    /// The lane is free for this command. It changes no progress: what is about to be sent was recorded when
    /// it got in line.
    /// - Returns: the number of the attempt to hand to the link; `nil` where it does not want to leave any more.
    package mutating func takeTurn(at moment: Moment) -> Int? {
        guard !hasExpired(at: moment) else { return nil }
        switch phase {
        case .sending(.inLane): phase = .sending(.underWay)
        case .sent(.inLane): phase = .sent(.underWay)
        case .created, .queued, .sending, .storing, .sent, .accepted, .running, .asking, .unknown,
            .ended:
            return nil
        }
        return progress.sends
    }

    mutating func sendEnded(_ result: SendResult, at moment: Moment) -> [LifecycleAction] {
        switch phase {
        case .sending(.inLane), .sending(.underWay):
            noteFailure(in: result)
            let actions = firstSendEnded(result, at: moment)
            if overruling != nil, case .queued = phase { return leaveToLater(at: moment) }
            return actions
        case .sent(.inLane), .sent(.underWay):
            noteFailure(in: result)
            resendEnded(result, at: moment)
        case .storing(let storing): return storingEnded(storing, result, at: moment)
        case .asking(_, .asked) where isKept: return notRead(result, at: moment)
        case .unknown where hasNotLeft(result):
            end(.expired, .expired, "the command could not be sent in time", at: moment)
        case .created, .queued, .sending, .sent, .accepted, .running, .asking, .unknown, .ended:
            break
        }
        return []
    }

    private mutating func noteFailure(in result: SendResult) {
        switch result {
        case .mayHaveLeft(let reason): lastFailure = reason
        case .receipt: lastFailure = nil
        case .neverLeft, .cannotLeave: break
        }
    }

    /// Whether the only send of a command that was given up while it was under way did not leave.
    private func hasNotLeft(_ result: SendResult) -> Bool {
        guard !progress.mayHaveLeft else { return false }
        switch result {
        case .neverLeft, .cannotLeave, .receipt(.refused): return true
        case .receipt(.confirmed), .receipt(.confirmedWithoutEvidence), .receipt(.noReceiver),
            .mayHaveLeft:
            return false
        }
    }

    private mutating func firstSendEnded(_ result: SendResult, at moment: Moment)
        -> [LifecycleAction]
    {
        switch result {
        case .receipt(.confirmed): confirmed(at: moment)
        case .receipt(.confirmedWithoutEvidence): close(at: moment)
        case .receipt(.noReceiver):
            waitAgain("no device is subscribed to the commands of \(intent.device)", at: moment)
        case .receipt(.refused(let code, let reason)): refused(code, reason, at: moment)
        case .neverLeft(let reason):
            progress.sends -= 1
            waitAgain(reason, at: moment)
        case .cannotLeave(let code, let reason):
            progress.sends -= 1
            refused(code, reason, at: moment)
        case .mayHaveLeft(let reason):
            progress.mayHaveLeft = true
            // Sent again it would be done twice by a device that does not recognise it.
            guard traits.contains(.deduplication) else { return ask(.unknown, reason) }
            waitAgain(reason, at: moment)
        }
        return []
    }

    private mutating func resendEnded(_ result: SendResult, at moment: Moment) {
        switch result {
        case .receipt(.confirmed), .mayHaveLeft: phase = .sent(nextResend(at: moment))
        case .receipt(.confirmedWithoutEvidence): close(at: moment)
        case .receipt(.noReceiver):
            waitAgain("no device is subscribed to the commands of \(intent.device)", at: moment)
        case .receipt(.refused(_, let reason)):
            progress.message = reason
            phase = .sent(.over)
        case .neverLeft:
            progress.sends -= 1
            phase = .sent(nextResend(at: moment))
        case .cannotLeave(_, let reason):
            progress.sends -= 1
            progress.message = reason
            phase = .sent(.over)
        }
    }

    /// Without the trait `delivery` the receipt proves only that the link took the bytes.
    private mutating func confirmed(at moment: Moment) {
        progress.mayHaveLeft = true
        guard traits.contains(.delivery) else {
            phase = .sending(nextResend(at: moment))
            return
        }
        if progress.timings.sentAt == nil { progress.timings.sentAt = moment.wall }
        phase = .sent(nextResend(at: moment))
    }

    /// `sent` is the end of a command whose effect nothing can show (PROTOCOL section 4).
    private mutating func close(at moment: Moment) {
        progress.mayHaveLeft = true
        if progress.timings.sentAt == nil { progress.timings.sentAt = moment.wall }
        progress.timings.closedAt = moment.wall
        progress.message = "what it sets cannot be read, so nothing shows whether it took effect"
        phase = .sent(.over)
    }

    mutating func waitAgain(_ reason: String, at moment: Moment) {
        progress.message = reason
        let canRetry = reach == .reachable || (canBeKept && reach == .offline)
        phase = .queued(retryAt: canRetry ? moment.elapsed + resends.next() : nil)
        // The link may have told of its loss before it gave up this send.
        if !canRetry { explainWaiting(at: moment) }
    }

    /// A refusal is definite unless an earlier send may have arrived.
    mutating func refused(_ code: AckCode, _ reason: String, at moment: Moment) {
        guard progress.mayHaveLeft else { return end(.refused, code, reason, at: moment) }
        progress.message = reason
        phase = .sending(.over)
    }

    /// The next send of a command that the link took. It makes sense only where its answer is
    /// awaited and the device does not do it twice.
    private mutating func nextResend(at moment: Moment) -> LifecyclePhase.Transmission {
        guard traits.isSuperset(of: [.acceptance, .deduplication]) else { return .over }
        return reach == .reachable ? .due(at: moment.elapsed + resends.next()) : .paused
    }
}
