internal import DeviceDomain
internal import DeviceMessages

extension CommandProgress {
    /// Whether its outcome is unknown and its user has put it away.
    public var isPutAway: Bool { state == .unknown && isClosed }

    /// The progress of a command whose outcome stays unknown and that its user puts away.
    /// - Returns: `nil` where the outcome is not unknown, or it was put away already.
    func putAway(at time: Timestamp) -> CommandProgress? {
        guard state == .unknown, !isClosed else { return nil }
        var copy = self
        copy.step += 1
        copy.timings.closedAt = time
        return copy
    }
}

extension CommandChange {
    /// The change that puts a command away; `nil` as for ``CommandProgress/putAway(at:)``.
    init?(puttingAway record: CommandRecord, at time: Timestamp) {
        guard let progress = record.progress.putAway(at: time) else { return nil }
        self.init(
            of: record.id, after: record.progress.step, to: progress,
            because: [
                LedgerEvent(
                    .putAway, of: record.id, at: time,
                    cause: "put away: its outcome stays unknown, and nobody looks after it any more"
                )
            ])
    }
}
