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
    /// Whether the link keeps the command, or may do so.
    package var isKept: Bool { progress.isKept }

    /// Whether the command is to be put into the settings that the link keeps. One that may have been
    /// sent to the device itself is not, as its acknowledgement would be lost.
    var isToBeKept: Bool {
        guard case .queued = phase, terms.canBeKept else { return false }
        return isKept ? reach.hasLink : reach == .offline && !progress.mayHaveLeft
    }

    /// The settings that the link is to keep now; `nil` if none.
    package var settingsToWrite: DesiredSettings? { phase.settingsToWrite }

    mutating func readSettings() -> [LifecycleAction] {
        phase = .storing(.reading)
        return [.readSettings]
    }

    /// While there was no link the device may have reported the end.
    mutating func readMissed() -> [LifecycleAction] {
        switch phase {
        case .sent, .unknown: return phase.standing.map { ask($0, "") } ?? []
        case .asking: return askIfPossible()
        case .queued: return isToBeKept ? readSettings() : []
        case .created, .sending, .storing, .accepted, .running, .ended: return []
        }
    }

    // MARK: Reading and writing

    mutating func found(_ reading: DesiredReading, at moment: Moment) -> [LifecycleAction] {
        guard awaitsSettings, let setting = keptSetting else { return [] }
        switch setting.step(after: reading, isLate: terms.hasExpired(at: moment)) {
        case .succeed: succeed(at: moment)
        case .wait:
            progress.noteSent(at: moment.wall)
            progress.message = terms.notAppliedYet
            phase = terms.hasExpired(at: moment) ? .unknown : .sent(.over)
        case .giveWay:
            let why = "later settings for \(intent.device) took its place"
            end(.superseded, .superseded, why, at: moment)
        case .write(let settings):
            progress.noteWrite(of: settings.revision)
            hearsSinceWrite = true
            phase = .storing(.writing(settings))
        case .expire: end(.expired, .expired, "the command could not be sent in time", at: moment)
        case .loseTrack(let reason):
            phase = .unknown
            progress.message = reason
        case .refuse(let code, let reason): refused(code, reason, at: moment)
        }
        return []
    }

    /// What is known of it as a setting that the link keeps; `nil` for a command that is none.
    var keptSetting: KeptSetting? {
        guard let wanted = intent.desiredSettings else { return nil }
        return KeptSetting(
            device: intent.device, wanted: wanted, revision: progress.desiredRevision,
            writes: progress.sends, wasFound: progress.timings.sentAt != nil,
            isOverruled: overruling != nil, hearsSinceWrite: hearsSinceWrite,
            hasGivenWay: phase.writtenSettings?.contradict(wanted) ?? false)
    }

    /// Whether the settings that the link keeps are to be read for it.
    package var awaitsSettings: Bool { phase.readsSettings || (isKept && phase.question == .asked) }

    mutating func storingEnded(
        _ storing: LifecyclePhase.Storing, _ result: SendResult, at moment: Moment
    ) -> [LifecycleAction] {
        if case .writing = storing { progress.noteWriteEnded(result) }
        switch result {
        case .receipt(.confirmed), .receipt(.confirmedWithoutEvidence), .receipt(.noReceiver):
            guard case .writing(let settings) = storing else { return [] }
            phase = .storing(.confirming(settings))
            return [.readSettings]
        case .receipt(.refused(let code, let reason)), .cannotLeave(let code, let reason):
            refused(code, reason, at: moment)
        case .neverLeft(let reason), .mayHaveLeft(let reason): waitAgain(reason, at: moment)
        }
        return []
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
        progress.noteSent(at: moment.wall)
        end(.succeeded, .ok, "", at: moment)
        progress.timings.observedAt = moment.wall
    }
}
