internal import DeviceDomain
internal import DeviceMessages

extension CommandLifecycle {
    mutating func acknowledged(
        by ack: AckMessage, isAnswer: Bool, at moment: Moment
    ) -> [LifecycleAction] {
        if let anomaly = anomaly(in: ack) { return [report(anomaly, ack, at: moment)] }
        if isThrottling(ack) {
            throttled(by: ack)
            return []
        }
        if state.isFinal { return compare(ack, at: moment) }
        if let final = CommandState(final: ack.stage) {
            ended(final, by: ack, at: moment)
            return []
        }
        return advanced(by: ack, isAnswer: isAnswer, at: moment)
    }

    private func anomaly(in ack: AckMessage) -> CommandAnomaly.Kind? {
        if ack.device != intent.device { return .foreignDevice }
        if ack.code == .idReused { return .idReused }
        if ack.isFinal != ack.stage.isFinal, !isThrottling(ack) { return .inconsistentAck }
        return nil
    }

    /// The device could make no record of the command, so this is no answer to it.
    private func isThrottling(_ ack: AckMessage) -> Bool {
        ack.n == 0 && ack.stage == .rejected && !ack.isFinal
    }

    private mutating func throttled(by ack: AckMessage) {
        guard state.awaitsFirstAck else { return }
        progress.code = ack.code
        progress.message = ack.message
    }

    /// What a final state says to a later ack: the first one wins.
    private func compare(_ ack: AckMessage, at moment: Moment) -> [LifecycleAction] {
        if ack.isFinal {
            let isSame =
                CommandState(final: ack.stage) == state && ack.code == progress.code
                && (progress.lastAck == 0 || ack.result == progress.result)
            return isSame ? [] : [report(.contradictoryFinal, ack, at: moment)]
        }
        return progress.lastAck == 0 ? [report(.ackAfterEnd, ack, at: moment)] : []
    }

    private mutating func ended(_ final: CommandState, by ack: AckMessage, at moment: Moment) {
        noteArrival(of: ack, at: moment)
        progress.percent = nil
        progress.result = ack.result
        progress.revision = ack.revision
        end(final, ack.code, ack.message, at: moment)
    }

    private mutating func advanced(
        by ack: AckMessage, isAnswer: Bool, at moment: Moment
    ) -> [LifecycleAction] {
        guard isAnswer || ack.n > progress.lastAck else { return [] }
        let isOtherBoot = progress.boot.map { $0 != ack.boot } ?? false
        if isAnswer { inquiry = .none }
        if ack.n > progress.lastAck || state == .unknown { take(ack, at: moment) }
        if intent.sort != .action, hasExpired(at: moment), inquiry != .asked {
            loseTrack("\(intent.device) accepted it, but did not end it in time")
            return []
        }
        if intent.sort == .action { silentAt = moment.elapsed + Self.longestSilence }
        guard isOtherBoot, !isAnswer else { return [] }
        inquiry = .wanted
        return askIfPossible()
    }

    private mutating func take(_ ack: AckMessage, at moment: Moment) {
        noteArrival(of: ack, at: moment)
        progress.state = ack.stage == .progress || state == .running ? .running : .accepted
        progress.code = ack.code
        progress.message = ack.message
        progress.percent = ack.percent
        resendAt = nil
    }

    private mutating func noteArrival(of ack: AckMessage, at moment: Moment) {
        progress.mayHaveLeft = true
        progress.lastAck = max(progress.lastAck, ack.n)
        progress.boot = ack.boot
        if progress.timings.sentAt == nil { progress.timings.sentAt = moment.wall }
        if progress.timings.acceptedAt == nil, !ack.isFinal {
            progress.timings.acceptedAt = moment.wall
        }
    }

    func report(_ kind: CommandAnomaly.Kind, _ ack: AckMessage?, at moment: Moment)
        -> LifecycleAction
    {
        .report(
            CommandAnomaly(
                kind, command: intent.id, device: ack?.device ?? intent.device, ack: ack,
                at: moment.wall))
    }
}
