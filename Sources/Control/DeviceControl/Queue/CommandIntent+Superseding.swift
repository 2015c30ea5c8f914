public import Connectivity
public import DeviceDomain
public import DeviceMessages

extension CommandIntent {
    /// Whether this command takes the place of an earlier one to the same device that has not left
    /// yet (PROTOCOL section 5, offline policies).
    ///
    /// A newer `latest` or `desired` setting takes the place of an older one of the same name. A `barrier`, such
    /// as `stop`, takes the place of every action: sent after it, the action would undo it.
    public func supersedes(_ earlier: CommandIntent) -> Bool {
        guard controller == earlier.controller, home == earlier.home, device == earlier.device,
            id != earlier.id, !isDryRun, !earlier.isDryRun
        else { return false }
        switch offline {
        case .latest, .desired:
            return earlier.name == name
                && (earlier.offline == .latest || earlier.offline == .desired)
        case .barrier: return earlier.sort == .action
        case .failFast, .expire: return false
        }
    }

    /// Whether it may take the place of any command at all.
    public var maySupersede: Bool {
        switch offline {
        case .latest, .barrier, .desired: !isDryRun
        case .failFast, .expire: false
        }
    }
}

extension CommandProgress {
    /// Whether the command waits and surely has not left.
    public var isWaiting: Bool { (state == .created || state == .queued) && !mayHaveLeft }

    /// The progress of a waiting command whose place a later one takes.
    public func superseded(by later: CommandIntent, at time: Timestamp) -> CommandProgress {
        withdrawn(
            .superseded, .superseded, "a later \(later.name.rawValue) took its place", at: time)
    }

    /// The progress of a waiting command that its user takes back.
    public func cancelled(at time: Timestamp) -> CommandProgress {
        withdrawn(.cancelled, .cancelled, "it was taken back before it was sent", at: time)
    }

    private func withdrawn(
        _ state: CommandState, _ code: AckCode, _ message: String, at time: Timestamp
    ) -> CommandProgress {
        var copy = self
        copy.step += 1
        copy.state = state
        copy.code = code
        copy.message = message
        copy.timings.finalAt = time
        return copy
    }
}

extension LedgerEvent {
    /// What the log says of a command that was withdrawn.
    /// - Parameter later: the command that took its place; `nil` where its user took it back.
    public init(
        withdrawing id: CommandID, to progress: CommandProgress, for later: CommandID? = nil,
        at time: Timestamp
    ) {
        var detail: JSONObject = ["progress": progress.told]
        detail["by"] = later.map { .string($0.text) }
        self.init(
            .withdrawn, of: id, at: time, cause: progress.message, state: progress.state,
            detail: detail)
    }
}
