internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// A setting among those that the link keeps for a device that is away, and what this process knows of it.
///
/// Two writers that read the same document write the same revision. Then the link keeps that of the later
/// one, and a device that was there in between has applied that of the earlier one and passes the later
/// one by. So a revision proves nothing without its content.
struct KeptSetting: Hashable, Sendable {
    /// How often a setting is written for a device that passes it by, or where nothing shows that it is kept.
    static let mostWrites = 10

    /// The device.
    var device: DeviceID
    /// The values that are wanted, by their names.
    var wanted: JSONObject
    /// The revision from which on the kept settings contain it; `nil` before the first write.
    var revision: Int?
    /// How often it was written.
    var writes = 0
    /// Whether it was found among the kept settings after the last write.
    var wasFound = false
    /// Whether a later command contradicts it.
    var isOverruled = false
    /// Whether every report of the device since the last write was heard.
    var hearsSinceWrite = false
    /// Whether the last write, which is read back, contained the values of another writer.
    var hasGivenWay = false

    /// What a reading says of a setting that was written, or may have been.
    enum Verdict: Hashable, Sendable {
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

    /// What a reading says of it.
    func verdict(on reading: DesiredReading) -> Verdict {
        guard let own = revision else { return .missing }
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
        guard kept.contain(wanted) else { return isOverruled ? .replaced : .lost }
        guard let reported else { return .kept }
        if reported.members.isEmpty { return .applied }
        if writes >= Self.mostWrites { return reported.contradict(wanted) ? .outdone : .ignored }
        // Without every report, the device may have applied it and have taken another value since.
        let mayBeLater = !hearsSinceWrite || isOverruled
        return mayBeLater && reported.contradict(wanted) ? .outdone : .lost
    }

    /// What follows from a reading.
    enum Step: Hashable, Sendable {
        /// It has succeeded.
        case succeed
        /// The link keeps it until the device applies it.
        case wait
        /// It ends: later settings hold.
        case giveWay
        /// The link is to keep these settings.
        case write(DesiredSettings)
        /// It ends without an effect: it was not written in time.
        case expire
        /// Its outcome is unknown; why, for people.
        case loseTrack(String)
        /// It cannot be written; why, as a code and for people.
        case refuse(AckCode, String)
    }

    /// What follows from a reading.
    /// - Parameter isLate: whether the time has passed in which it may be written.
    func step(after reading: DesiredReading, isLate: Bool) -> Step {
        let kept = reading.kept?.members ?? [:]
        switch verdict(on: reading) {
        case .applied: return .succeed
        case .kept: return .wait
        case .replaced: return .giveWay
        case .ignored:
            return .loseTrack(
                "\(device) has applied the settings that are kept for it, but does not report this one"
            )
        case .outdone: return isLate ? .giveWay : write(reading.reported, over: reading)
        case .contested: return isLate ? .giveWay : write(kept, over: reading)
        case .lost:
            let members = reading.newest.merging(wanted) { $1 }
            return isLate ? .loseTrack(noLongerKept) : write(members, over: reading)
        case .missing where writes >= Self.mostWrites && !wasFound: return .loseTrack(neverShown)
        case .missing where isLate: return wasFound ? .loseTrack(noLongerKept) : .expire
        case .missing: return write(kept.merging(wanted) { $1 }, over: reading)
        }
    }

    private var neverShown: String {
        "the channel confirmed \(writes) times that it keeps the setting for \(device), but shows none; check that "
            + "this user may write and read what is kept for a device ('desired')"
    }

    private var noLongerKept: String {
        "it was kept for \(device), but is no longer; send it again if \(device) has not applied it"
    }

    /// A device ignores a revision that is not above the one that it has applied, also where the kept
    /// settings were removed since.
    private func write(_ members: JSONObject, over reading: DesiredReading) -> Step {
        let last = max(
            reading.kept?.revision ?? 0, reading.applied?.revision ?? 0, (revision ?? 1) - 1,
            reading.allotted - 1)
        guard last < JSONValue.largestInteger else {
            return .refuse(
                .badRequest,
                "the settings kept for \(device) have the highest possible revision; remove them, "
                    + "then send the command again")
        }
        return .write(DesiredSettings(revision: last + 1, members: members))
    }

    /// Whether the device has applied it, whoever wrote it: its values are there under its revision or a later
    /// one.
    func isApplied(in settings: DesiredSettings) -> Bool {
        guard let revision else { return false }
        return settings.revision >= revision && settings.contain(wanted)
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
