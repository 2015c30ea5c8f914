internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandLifecycle {
    mutating func enqueued(_ reach: Reach, at moment: Moment) -> [LifecycleAction] {
        guard state == .created else { return [] }
        self.reach = reach
        progress.state = .queued
        refuseIfOffline(at: moment)
        return sendIfPossible(at: moment)
    }

    mutating func reachChanged(to reach: Reach, at moment: Moment) -> [LifecycleAction] {
        self.reach = reach
        guard !state.isFinal else { return [] }
        guard inquiry == .none else { return askIfPossible() }
        switch state {
        case .queued:
            refuseIfOffline(at: moment)
            return sendIfPossible(at: moment)
        case .sent:
            awaitAck(at: moment)
            return []
        case .created, .sending, .accepted, .running, .unknown: return []
        case .succeeded, .failed, .rejected, .cancelled, .superseded, .refused, .expired: return []
        }
    }

    mutating func sendEnded(_ result: SendResult, at moment: Moment) -> [LifecycleAction] {
        isHandedOver = false
        guard state == .sending || state == .sent else { return [] }
        switch result {
        case .receipt(.confirmed): confirmed(at: moment)
        case .receipt(.noReceiver): backToQueue("nobody listens to the device's commands now")
        case .receipt(.refused(let code, let message)):
            refusedByLink(code, message, at: moment)
        case .notHandedOver(let reason):
            progress.sends = max(0, progress.sends - 1)
            notHandedOver(reason)
        case .lostOnTheWay(let reason):
            progress.mayHaveLeft = true
            notHandedOver(reason)
        }
        guard !state.isFinal, inquiry == .none else { return askIfPossible() }
        scheduleResend(at: moment)
        return []
    }

    /// Hands the command to the link if it waits and nothing speaks against it.
    mutating func sendIfPossible(at moment: Moment) -> [LifecycleAction] {
        guard state == .queued || state == .sent, inquiry == .none, reach == .reachable,
            isSendable, !isHandedOver, !hasExpired(at: moment)
        else { return [] }
        if state == .queued { progress.state = .sending }
        progress.sends += 1
        isHandedOver = true
        resendAt = nil
        return [.publish(attempt: progress.sends)]
    }

    /// Plans the next send, unless one is under way or none can be made; ``LifecycleEvent/reach(_:)``
    /// tells when one can be made again.
    mutating func scheduleResend(at moment: Moment) {
        guard isSendable, !isHandedOver, reach == .reachable else { return }
        resendAt = moment.elapsed + resends.next()
    }

    private mutating func awaitAck(at moment: Moment) {
        guard reach == .reachable else {
            resendAt = nil
            return
        }
        guard resendAt == nil, !isHandedOver else { return }
        resends.restart()
        scheduleResend(at: moment)
    }

    private mutating func confirmed(at moment: Moment) {
        progress.mayHaveLeft = true
        if progress.timings.sentAt == nil { progress.timings.sentAt = moment.wall }
        progress.state = .sent
    }

    private mutating func backToQueue(_ reason: String) {
        progress.state = .queued
        progress.message = reason
    }

    private mutating func notHandedOver(_ reason: String) {
        guard state == .sending else { return }
        backToQueue(reason)
    }

    /// A refusal is definite unless an earlier send may have arrived.
    private mutating func refusedByLink(_ code: AckCode, _ message: String, at moment: Moment) {
        isSendable = false
        resendAt = nil
        if progress.mayHaveLeft {
            progress.state = .sent
            progress.message = message
        } else {
            end(.refused, code, message, at: moment)
        }
    }

    /// A command that does not wait for its device ends when that is away.
    mutating func refuseIfOffline(at moment: Moment) {
        guard state == .queued, reach == .offline, intent.offline == .failFast,
            !progress.mayHaveLeft
        else { return }
        end(.refused, .notReady, "\(intent.device) is offline; try again later", at: moment)
    }

    /// Sets a final state.
    mutating func end(
        _ state: CommandState, _ code: AckCode, _ message: String, at moment: Moment
    ) {
        progress.state = state
        progress.code = code
        progress.message = message
        progress.timings.finalAt = moment.wall
        settle()
    }

    /// Sets `unknown`, with what is known of the reason.
    mutating func loseTrack(_ message: String) {
        guard state != .unknown else { return }
        progress.state = .unknown
        progress.message = message
        settle()
    }

    mutating func settle() {
        resendAt = nil
        silentAt = nil
        if state.isFinal { inquiry = .none }
    }
}
