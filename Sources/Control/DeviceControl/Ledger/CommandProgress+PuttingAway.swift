internal import DeviceDomain
internal import DeviceMessages

extension CommandProgress {
    /// Whether its outcome is unknown and its user has put it away.
    public var isPutAway: Bool { state == .unknown && isClosed }

    /// The progress of a command whose outcome stays unknown and that its user puts away.
    /// - Parameter evenIfKept: also of a setting that the link kept for its device, where both were forgotten: the
    ///   device may have got it.
    /// - Returns: `nil` where the outcome is not unknown, or it was put away already.
    func putAway(evenIfKept: Bool = false, at time: Timestamp) -> CommandProgress? {
        guard !isClosed, state == .unknown || evenIfKept && isKept else { return nil }
        var copy = self
        copy.step += 1
        copy.timings.closedAt = time
        if state != .unknown {
            copy.state = .unknown
            copy.message =
                "its device was forgotten, with the setting that was kept for it; the device may have got it"
        }
        return copy
    }
}

extension CommandChange {
    /// The change that puts a command away; `nil` as for ``CommandProgress/putAway(evenIfKept:at:)``.
    init?(puttingAway record: CommandRecord, evenIfKept: Bool = false, at time: Timestamp) {
        let former = record.progress
        guard let progress = former.putAway(evenIfKept: evenIfKept, at: time) else { return nil }
        var event = LedgerEvent(
            .putAway, of: record.id, at: time,
            cause: "put away: its outcome stays unknown, and nobody looks after it any more")
        if progress.state != former.state {
            event.state = progress.state
            event.detail["progress"] = progress.told
        }
        self.init(of: record.id, after: former.step, to: progress, because: [event])
    }
}
