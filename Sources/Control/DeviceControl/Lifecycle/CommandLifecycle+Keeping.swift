package import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// A setting for a device that is away goes into the settings that the link keeps for it (PROTOCOL
/// section 2, "desired").
///
/// They are read before they are written, and the new revision is in the ledger before it is on the
/// link. So a later process finds out by reading whether the setting was written: there is the
/// revision with it, a revision without it, which another writer made, or only an older one. The
/// device reports what it has applied; no acknowledgement comes.
extension CommandLifecycle {
    /// Whether the link can keep the command for a device that is away.
    var canBeKept: Bool { traits.contains(.desired) && intent.desiredSettings != nil }

    /// Whether the link keeps the command, or may do so.
    package var isKept: Bool { progress.isKept }

    /// Whether the link works, whatever the device does.
    var hasLink: Bool { reach == .reachable || reach == .offline }

    /// Whether the command is to be put into the settings that the link keeps. One that may have been
    /// sent to the device itself is not, as its acknowledgement would be lost.
    var isToBeKept: Bool {
        guard case .queued = phase, canBeKept else { return false }
        return isKept ? hasLink : reach == .offline && !progress.mayHaveLeft
    }

    /// The settings that the link is to keep now; `nil` if none.
    package var settingsToWrite: DesiredSettings? {
        if case .storing(.writing(let settings)) = phase { settings } else { nil }
    }

    /// Why a kept command has no end yet.
    var notAppliedYet: String {
        "kept for \(intent.device), which has not applied it yet"
    }

    mutating func readSettings() -> [LifecycleAction] {
        phase = .storing(.reading)
        return [.readSettings]
    }

    /// While there was no link the device may have reported the end.
    mutating func readMissed() -> [LifecycleAction] {
        switch phase {
        case .sent: return ask(.sent, "")
        case .unknown: return ask(.unknown, "")
        case .asking: return askIfPossible()
        case .queued: return isToBeKept ? readSettings() : []
        case .created, .sending, .storing, .accepted, .running, .ended: return []
        }
    }

    // MARK: Reading and writing

    mutating func found(_ reading: DesiredReading, at moment: Moment) -> [LifecycleAction] {
        guard awaitsSettings, let setting = keptSetting else { return [] }
        switch setting.step(after: reading, isLate: hasExpired(at: moment)) {
        case .succeed: succeed(at: moment)
        case .wait: keep(at: moment)
        case .giveWay:
            let why = "later settings for \(intent.device) took its place"
            end(.superseded, .superseded, why, at: moment)
        case .write(let settings): write(settings)
        case .expire: end(.expired, .expired, "the command could not be sent in time", at: moment)
        case .loseTrack(let reason):
            phase = .unknown
            progress.message = reason
        case .refuse(let code, let reason): refused(code, reason, at: moment)
        }
        return []
    }

    /// What is known of it as a setting that the link keeps; `nil` for a command that is none.
    private var keptSetting: KeptSetting? {
        guard let wanted = intent.desiredSettings else { return nil }
        return KeptSetting(
            device: intent.device, wanted: wanted, revision: progress.desiredRevision,
            writes: progress.sends, wasFound: progress.timings.sentAt != nil,
            isOverruled: overruling != nil, hearsSinceWrite: hearsSinceWrite,
            hasGivenWay: writtenSettings?.contradict(wanted) ?? false)
    }

    /// The settings that were handed to the link and are read back; `nil` if none.
    private var writtenSettings: DesiredSettings? {
        if case .storing(.confirming(let settings)) = phase { settings } else { nil }
    }

    /// Whether the settings that the link keeps are to be read for it.
    package var awaitsSettings: Bool {
        switch phase {
        case .storing(.reading), .storing(.confirming): true
        case .asking(_, .asked): isKept
        case .created, .queued, .sending, .storing, .sent, .accepted, .running, .asking, .unknown,
            .ended:
            false
        }
    }

    private mutating func write(_ settings: DesiredSettings) {
        progress.desiredRevision = settings.revision
        progress.sends += 1
        progress.message = ""
        hearsSinceWrite = true
        // What is read back from now on is another document.
        progress.timings.sentAt = nil
        phase = .storing(.writing(settings))
    }

    /// The link keeps the command. After the time in which it may start, its outcome is unknown until
    /// the device reports it.
    private mutating func keep(at moment: Moment) {
        progress.mayHaveLeft = true
        if progress.timings.sentAt == nil { progress.timings.sentAt = moment.wall }
        progress.message = notAppliedYet
        phase = hasExpired(at: moment) ? .unknown : .sent(.over)
    }

    mutating func storingEnded(
        _ storing: LifecyclePhase.Storing, _ result: SendResult, at moment: Moment
    ) -> [LifecycleAction] {
        switch result {
        case .receipt(.confirmed), .receipt(.confirmedWithoutEvidence), .receipt(.noReceiver):
            guard case .writing(let settings) = storing else { return [] }
            progress.mayHaveLeft = true
            phase = .storing(.confirming(settings))
            return [.readSettings]
        case .receipt(.refused(let code, let reason)): refused(code, reason, at: moment)
        case .neverLeft(let reason):
            notWritten(storing)
            waitAgain(reason, at: moment)
        case .cannotLeave(let code, let reason):
            notWritten(storing)
            refused(code, reason, at: moment)
        case .mayHaveLeft(let reason):
            if case .writing = storing { progress.mayHaveLeft = true }
            waitAgain(reason, at: moment)
        }
        return []
    }

    /// The revision is free for another writer again, unless an earlier write may have made it.
    private mutating func notWritten(_ storing: LifecyclePhase.Storing) {
        guard case .writing = storing else { return }
        progress.sends -= 1
        if !progress.mayHaveLeft { progress.desiredRevision = nil }
    }

    /// What the link keeps could not be read.
    mutating func notRead(_ result: SendResult, at moment: Moment) -> [LifecycleAction] {
        switch result {
        case .receipt: return []
        case .neverLeft(let reason), .mayHaveLeft(let reason):
            return unanswered(reason, at: moment)
        case .cannotLeave(_, let reason):
            phase = .unknown
            progress.message = reason
            return []
        }
    }

    // MARK: What the device has applied

    /// The device reports the settings that it has applied, as part of its state.
    ///
    /// Where they contain the values of the command, under its revision or a later one, it has succeeded,
    /// whoever wrote them. Otherwise what the link keeps tells the reason.
    mutating func reported(_ settings: DesiredSettings, at moment: Moment) -> [LifecycleAction] {
        guard isKept, let setting = keptSetting else { return [] }
        guard setting.isApplied(in: settings) else {
            return progress.isClosed ? [] : readMissed()
        }
        succeed(at: moment)
        return []
    }

    private mutating func succeed(at moment: Moment) {
        progress.mayHaveLeft = true
        if progress.timings.sentAt == nil { progress.timings.sentAt = moment.wall }
        end(.succeeded, .ok, "", at: moment)
        progress.timings.observedAt = moment.wall
    }
}
