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
        let verdict = progress.desiredRevision.map { self.verdict(on: reading, wanted, $0) }
        switch verdict ?? .missing {
        case .applied: succeed(at: moment)
        case .kept: keep(at: moment)
        case .replaced: endReplaced(at: moment)
        case .ignored: ignored()
        case .outdone where hasExpired(at: moment): endReplaced(at: moment)
        case .contested where hasExpired(at: moment): endReplaced(at: moment)
        case .contested: write(reading.kept?.members ?? [:], over: reading, at: moment)
        case .lost where hasExpired(at: moment): missed(wasWritten: true, at: moment)
        case .missing where hasExpired(at: moment): missed(wasWritten: false, at: moment)
        case .outdone: write(reading.reported, over: reading, at: moment)
        case .lost: write(reading.newest.merging(wanted) { $1 }, over: reading, at: moment)
        case .missing:
            let members = reading.kept?.members ?? [:]
            write(members.merging(wanted) { $1 }, over: reading, at: moment)
        }
        return []
    }

    /// What a reading says of a setting that was written, or may have been.
    private enum Verdict {
        /// The device has applied it.
        case applied
        /// The link keeps it, and the device has not seen it yet.
        case kept
        /// Another writer has given it another value.
        case replaced
        /// It was never written.
        case missing
        /// Another writer did not know of it, or the device has not taken it because another document had the
        /// same revision. Only a higher revision brings it to the device.
        case lost
        /// The link keeps it, but the device has another value under the same revision or a later one: from
        /// another document, or from a later command. That value holds, and the link is to keep it.
        case outdone
        /// Another writer has given it another value under the same revision, because both had read the same
        /// settings. A device that gets both takes the one that was written first. That of the other writer is
        /// to hold, as the later one, which takes a higher revision.
        case contested
        /// The device applies one revision after the other and does not report it.
        case ignored
    }

    /// Two writers that read the same document write the same revision. Then the link keeps that of the later
    /// one, and a device that was there in between has applied that of the earlier one and passes the later
    /// one by. So a revision proves nothing without its content.
    private func verdict(on reading: DesiredReading, _ wanted: JSONObject, _ own: Int) -> Verdict {
        let applied = reading.applied.flatMap { $0.revision >= own ? $0 : nil }
        if let applied, applied.contain(wanted) { return .applied }
        guard let kept = reading.kept, kept.revision >= own else {
            guard let applied else { return .missing }
            // The document was removed since. Some devices report no settings, only the revision.
            if applied.members.isEmpty { return applied.revision == own ? .applied : .replaced }
            return applied.contradict(wanted) ? .replaced : .lost
        }
        let reported = applied.flatMap { $0.revision >= kept.revision ? $0 : nil }
        if kept.contradict(wanted) {
            if reported?.contradict(kept.members) == true { return .outdone }
            return kept.revision == own && reported == nil && !hasGivenWay ? .contested : .replaced
        }
        guard kept.contain(wanted) else { return overruling == nil ? .lost : .replaced }
        guard let reported else { return .kept }
        if reported.members.isEmpty { return .applied }
        if progress.sends >= Self.mostWrites {
            return reported.contradict(wanted) ? .outdone : .ignored
        }
        // Without every report, the device may have applied it and have taken another value since.
        let mayBeLater = !hearsSinceWrite || overruling != nil
        return mayBeLater && reported.contradict(wanted) ? .outdone : .lost
    }

    /// Whether it has just written settings that are not its own.
    private var hasGivenWay: Bool {
        guard case .storing(.confirming(let written)) = phase, let wanted = intent.desiredSettings
        else { return false }
        return written.contradict(wanted)
    }

    /// How often a setting is written for a device that passes it by.
    static let mostWrites = 10

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

    /// A device ignores a revision that is not above the one that it has applied, also where the kept
    /// settings were removed since.
    private mutating func write(
        _ members: JSONObject, over reading: DesiredReading, at moment: Moment
    ) {
        let last = max(
            reading.kept?.revision ?? 0, reading.applied?.revision ?? 0,
            (progress.desiredRevision ?? 1) - 1)
        guard last < JSONValue.largestInteger else {
            return refused(
                .badRequest,
                "the settings kept for \(intent.device) have the highest possible revision; remove "
                    + "them, then send the command again", at: moment)
        }
        progress.desiredRevision = last + 1
        progress.sends += 1
        progress.message = ""
        hearsSinceWrite = true
        // What is read back from now on is another document.
        progress.timings.sentAt = nil
        phase = .storing(.writing(DesiredSettings(revision: last + 1, members: members)))
    }

    /// The settings do not contain the command, and it is too late to write it.
    private mutating func missed(wasWritten: Bool, at moment: Moment) {
        guard wasWritten || progress.timings.sentAt != nil else {
            return end(.expired, .expired, "the command could not be sent in time", at: moment)
        }
        phase = .unknown
        progress.message =
            "it was kept for \(intent.device), but is no longer; send it again if \(intent.device) "
            + "has not applied it"
    }

    private mutating func ignored() {
        phase = .unknown
        progress.message =
            "\(intent.device) has applied the settings that are kept for it, but does not report this one"
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
        guard isKept, let own = progress.desiredRevision, let wanted = intent.desiredSettings
        else { return [] }
        guard settings.revision >= own, settings.contain(wanted) else {
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

    private mutating func endReplaced(at moment: Moment) {
        end(
            .superseded, .superseded, "later settings for \(intent.device) took its place",
            at: moment)
    }
}

extension DesiredReading {
    /// What the link keeps, and what the device has applied of another document. Of two documents with one
    /// revision the link keeps the later one.
    fileprivate var newest: JSONObject {
        guard let kept, let applied, applied.revision >= kept.revision else {
            return kept?.members ?? [:]
        }
        return applied.revision > kept.revision
            ? reported : applied.members.merging(kept.members) { $1 }
    }

    /// What the link keeps, with the values that the device reports.
    fileprivate var reported: JSONObject {
        (kept?.members ?? [:]).merging(applied?.members ?? [:]) { $1 }
    }
}
