internal import Connectivity
package import DeviceDomain
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
        let hadLink = self.reach.hasLink
        self.reach = reach
        if !reach.hasLink { hearsSinceWrite = false }
        if isKept, !hadLink, reach.hasLink { return readMissed() }
        switch phase {
        case .queued:
            explainWaiting(at: moment)
            return sendIfPossible(at: moment)
        case .sending(.inLane) where reach != .reachable:
            progress.sends -= 1
            phase = .queued(retryAt: nil)
            explainWaiting(at: moment)
        case .sending(let transmission), .sent(let transmission):
            // It was not handed over: that is no send.
            if transmission == .inLane, reach != .reachable { progress.sends -= 1 }
            phase.transmit(transmission.adapted(to: reach, at: moment.elapsed, with: &resends))
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

    /// Says why the command waits, or ends one that does not wait.
    mutating func explainWaiting(at moment: Moment) {
        guard case .queued = phase, reach != .reachable, reach != .linkDown("") else { return }
        progress.message = reach.explanation(of: intent.device)
        if !progress.mayHaveLeft, let refusal = reach.refusal(of: intent) {
            end(.refused, refusal.code, refusal.message, at: moment)
        }
    }

    /// Gets in line for the link if nothing speaks against it.
    mutating func sendIfPossible(at moment: Moment) -> [LifecycleAction] {
        if overruling != nil { return leaveToLater(at: moment) }
        guard !terms.hasExpired(at: moment) else { return [] }
        if isToBeKept { return readSettings() }
        guard reach == .reachable else { return [] }
        switch phase {
        case .queued:
            progress.message = ""
            phase = .sending(.inLane)
        case .sending(.due), .sent(.due): phase.transmit(.inLane)
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
        guard !terms.hasExpired(at: moment), phase.transmission == .inLane else { return nil }
        phase.transmit(.underWay)
        return progress.sends
    }

    mutating func sendEnded(_ result: SendResult, at moment: Moment) -> [LifecycleAction] {
        switch phase {
        case .sending(.inLane), .sending(.underWay):
            let actions = handedOver(result, at: moment)
            if overruling != nil, case .queued = phase { return leaveToLater(at: moment) }
            return actions
        case .sent(.inLane), .sent(.underWay): return handedOver(result, at: moment)
        case .storing(let storing): return storingEnded(storing, result, at: moment)
        case .asking(_, .asked) where isKept: return notRead(result, at: moment)
        case .unknown where result.isSurelyNotTaken && !progress.mayHaveLeft:
            // The only send was still under way when it was given up.
            end(.expired, .expired, "the command could not be sent in time", at: moment)
        case .created, .queued, .sending, .sent, .accepted, .running, .asking, .unknown, .ended:
            break
        }
        return []
    }

    private mutating func handedOver(_ result: SendResult, at moment: Moment) -> [LifecycleAction] {
        if result.countsAsSend { lastFailure = result.doubt } else { progress.sends -= 1 }
        switch result {
        case .receipt(.confirmed): confirmed(at: moment)
        case .receipt(.confirmedWithoutEvidence):
            progress.close(at: moment.wall)
            phase = .sent(.over)
        case .receipt(.noReceiver):
            waitAgain("no device is subscribed to the commands of \(intent.device)", at: moment)
        case .receipt(.refused(let code, let reason)), .cannotLeave(let code, let reason):
            refused(code, reason, at: moment)
        case .neverLeft(let reason): sendAgain(reason, at: moment)
        case .mayHaveLeft(let reason):
            progress.mayHaveLeft = true
            // Sent again it would be done twice by a device that does not recognise it.
            if traits.contains(.deduplication) {
                sendAgain(reason, at: moment)
            } else if traits.contains(.asking) || !terms.isAnswered {
                return ask(.unknown, reason)
            } else {
                // What it does may still be seen, until its time is over.
                progress.message = reason
                phase = .sending(.over)
            }
        }
        return []
    }

    /// Without the trait `delivery` the receipt proves only that the link took the bytes.
    private mutating func confirmed(at moment: Moment) {
        guard traits.contains(.delivery) else {
            progress.mayHaveLeft = true
            phase = .sending(nextResend(at: moment))
            return
        }
        progress.noteSent(at: moment.wall)
        phase = .sent(nextResend(at: moment))
    }

    /// What the link took before stays sent, whatever becomes of a resend.
    private mutating func sendAgain(_ reason: String, at moment: Moment) {
        guard case .sent = phase else { return waitAgain(reason, at: moment) }
        phase = .sent(nextResend(at: moment))
    }

    mutating func waitAgain(_ reason: String, at moment: Moment) {
        progress.message = reason
        let canRetry = reach == .reachable || (terms.canBeKept && reach == .offline)
        phase = .queued(retryAt: canRetry ? moment.elapsed + resends.next() : nil)
        // The link may have told of its loss before it gave up this send.
        if !canRetry { explainWaiting(at: moment) }
    }

    /// A refusal is definite unless an earlier send may have arrived.
    mutating func refused(_ code: AckCode, _ reason: String, at moment: Moment) {
        guard progress.mayHaveLeft else { return end(.refused, code, reason, at: moment) }
        progress.message = reason
        if case .sent = phase { phase = .sent(.over) } else { phase = .sending(.over) }
    }

    /// The next send of a command that the link took.
    private mutating func nextResend(at moment: Moment) -> LifecyclePhase.Transmission {
        guard terms.isRepeated else { return .over }
        return reach == .reachable ? .due(at: moment.elapsed + resends.next()) : .paused
    }
}
