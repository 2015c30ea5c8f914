internal import DeviceControl
internal import DeviceDomain

extension AuditedCommand {
    /// The columns of ``CommandRow/progressColumns`` that are compared, and `isOpen`.
    private static let progressNames = [
        "code", "message", "result", "revision", "sends", "isOpen", "createdAt", "sentAt",
        "acceptedAt", "finalAt", "observedAt", "closedAt",
    ]

    /// The columns of its progress that do not fit the entries about it.
    var changedProgress: [String] {
        guard let state = texts["state"].flatMap(CommandState.init(rawValue:)),
            let latest = log.latest
        else { return [] }
        let recorded = log.recordedProgress(in: state)
        let parts =
            reasons(in: state, recorded) + results(in: state, recorded) + numbers(recorded)
            + times(in: state, since: latest)
        return Self.progressNames.filter { parts.contains($0) }
    }

    /// Where no entry records the code of an open command, it is one that the device has reported once.
    private func reasons(in state: CommandState, _ recorded: JSONObject?) -> [String] {
        guard let recorded else {
            let isKnown = texts["code"].map { log.codes.contains($0) } ?? true
            return state.isFinal || isKnown ? [] : ["code"]
        }
        var parts: [String] = []
        if recorded["code"]?.string != texts["code"] { parts.append("code") }
        if (recorded["message"]?.string ?? "") != texts["message"] { parts.append("message") }
        return parts
    }

    /// Only the report that ends a command gives it a result.
    private func results(in state: CommandState, _ recorded: JSONObject?) -> [String] {
        let end = (state.isFinal ? recorded : nil) ?? [:]
        var parts: [String] = []
        if result != (end["result"]?.object ?? [:]) { parts.append("result") }
        if end["revision"]?.integer != integers["revision"] { parts.append("revision") }
        return parts
    }

    private func numbers(_ recorded: JSONObject?) -> [String] {
        let isCounted = integers["sends"].map { log.sends.contains($0) } ?? false
        // Evidence has none of these.
        guard let recorded, recorded["sends"] != nil else { return isCounted ? [] : ["sends"] }
        return ["sends", "sentAt", "acceptedAt", "finalAt"].filter {
            recorded[$0]?.integer != integers[$0]
        }
    }

    /// A time is that of the entry about what happened then; a command is made before its first entry is written.
    private func times(in state: CommandState, since latest: AuditedEntry) -> [String] {
        let known = log.times
        var parts = ["sentAt", "acceptedAt", "observedAt", "closedAt"].filter {
            integers[$0].map { !known.contains($0) } ?? false
        }
        if integers["createdAt"] != integers["issuedAt"] { parts.append("createdAt") }
        let end = state.isFinal ? latest.at : nil
        let endedBefore = state.isFinal && latest.kind == .created
        if !endedBefore, integers["finalAt"] != end { parts.append("finalAt") }
        if let end, latest.kind == .observed, integers["observedAt"] != end {
            parts.append("observedAt")
        }
        if isOpen != mustBeOpen(in: state) { parts.append("isOpen") }
        return parts
    }

    /// As ``CommandProgress/isOpen``.
    private func mustBeOpen(in state: CommandState) -> Bool {
        let isKept = integers["desiredRevision"] != nil && !state.isFinal
        return integers["closedAt"] == nil && (!state.isSettled || isKept)
    }
}
