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
        guard awaitsSettings, let wanted = intent.desiredSettings else { return [] }
        if let own = progress.desiredRevision {
            if let applied = reading.applied, applied.revision >= own {
                return self.applied(applied, at: moment)
            }
            if let kept = reading.kept, kept.revision >= own {
                if kept.contain(wanted) { keep(at: moment) } else { endReplaced(at: moment) }
                return []
            }
        }
        if hasExpired(at: moment) {
            missed(at: moment)
        } else {
            write(wanted, over: reading, moment)
        }
        return []
    }

    /// Whether the settings that the link keeps are to be read for it.
    package var awaitsSettings: Bool {
        switch phase {
        case .storing(.reading): true
        case .asking(_, .asked): isKept
        case .created, .queued, .sending, .storing, .sent, .accepted, .running, .asking, .unknown,
            .ended:
            false
        }
    }

    /// A device ignores a revision that is not above the one that it has applied, also where the kept
    /// settings were removed since.
    private mutating func write(
        _ wanted: JSONObject, over reading: DesiredReading, _ moment: Moment
    ) {
        let last = max(reading.kept?.revision ?? 0, reading.applied?.revision ?? 0)
        guard last < JSONValue.largestInteger else {
            return refused(
                .badRequest,
                "the settings kept for \(intent.device) have the highest possible revision; remove "
                    + "them, then send the command again", at: moment)
        }
        progress.desiredRevision = last + 1
        progress.sends += 1
        progress.message = ""
        phase = .storing(
            .writing(
                DesiredSettings(
                    revision: last + 1,
                    members: (reading.kept?.members ?? [:]).merging(wanted) { _, new in new })))
    }

    /// The settings do not contain the command, and it is too late to write it.
    private mutating func missed(at moment: Moment) {
        guard progress.timings.sentAt != nil else {
            return end(.expired, .expired, "the command could not be sent in time", at: moment)
        }
        phase = .unknown
        progress.message =
            "it was kept for \(intent.device), but is no longer; send it again if \(intent.device) "
            + "has not applied it"
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
    ) {
        switch result {
        case .receipt(.confirmed), .receipt(.confirmedWithoutEvidence), .receipt(.noReceiver):
            keep(at: moment)
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

    /// The device reports the settings that it has applied.
    ///
    /// With the revision of the command it has applied the command. A higher revision, or other values
    /// than those of the command, come from another writer: then the command has succeeded only if its
    /// values are still among the settings.
    mutating func applied(_ settings: DesiredSettings, at moment: Moment) -> [LifecycleAction] {
        guard isKept, let own = progress.desiredRevision, settings.revision >= own,
            let wanted = intent.desiredSettings
        else { return [] }
        let isOwn = settings.revision == own && !settings.contradict(wanted)
        guard isOwn || settings.contain(wanted) else {
            endReplaced(at: moment)
            return []
        }
        progress.mayHaveLeft = true
        if progress.timings.sentAt == nil { progress.timings.sentAt = moment.wall }
        end(.succeeded, .ok, "", at: moment)
        progress.timings.observedAt = moment.wall
        return []
    }

    private mutating func endReplaced(at moment: Moment) {
        end(
            .superseded, .superseded, "later settings for \(intent.device) took its place",
            at: moment)
    }
}
