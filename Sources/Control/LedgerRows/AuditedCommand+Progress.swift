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
        let told = log.telling(of: state)
        let parts =
            reasons(in: state, told) + results(in: state, told) + numbers(told)
            + times(in: state, since: latest)
        return Self.progressNames.filter { parts.contains($0) }
    }

    /// Where nothing tells the code of an open command, it is one that the device has told once.
    private func reasons(in state: CommandState, _ told: JSONObject?) -> [String] {
        guard let told else {
            let isKnown = texts["code"].map { log.codes.contains($0) } ?? true
            return state.isFinal || isKnown ? [] : ["code"]
        }
        var parts: [String] = []
        if told["code"]?.string != texts["code"] { parts.append("code") }
        if (told["message"]?.string ?? "") != texts["message"] { parts.append("message") }
        return parts
    }

    /// Only the report that ends a command gives it a result.
    private func results(in state: CommandState, _ told: JSONObject?) -> [String] {
        let end = (state.isFinal ? told : nil) ?? [:]
        var parts: [String] = []
        if result != (end["result"]?.object ?? [:]) { parts.append("result") }
        if end["revision"]?.integer != integers["revision"] { parts.append("revision") }
        return parts
    }

    private func numbers(_ told: JSONObject?) -> [String] {
        let isCounted = integers["sends"].map { log.sends.contains($0) } ?? false
        // Evidence tells none of these.
        guard let told, told["sends"] != nil else { return isCounted ? [] : ["sends"] }
        return ["sends", "sentAt", "acceptedAt", "finalAt"].filter {
            told[$0]?.integer != integers[$0]
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
