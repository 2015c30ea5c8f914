public import Connectivity
public import DeviceDomain
internal import DeviceMessages

extension LedgerEvent {
    /// Evidence as the log keeps it: its members in the detail, its bytes as they came.
    ///
    /// Whoever writes evidence into the log writes it in this form, so that the ledger recognises
    /// evidence that it has.
    public init(
        _ evidence: CommandEvidence, at moment: Timestamp, cause: String = "",
        state: CommandState? = nil
    ) {
        self.init(
            .evidence, of: evidence.id, at: moment, cause: cause, state: state,
            detail: evidence.members, raw: evidence.raw)
    }
}

extension CommandEvidence {
    /// What it says, without the command and the bytes; what is absent or usual is left out.
    var members: JSONObject {
        var members: JSONObject = [
            "device": .string(device.text), "source": .string(source.rawValue),
            "stage": .string(stage.rawValue), "code": .string(code.rawValue),
        ]
        if isFinal != stage.isFinal { members["final"] = .boolean(isFinal) }
        if !message.isEmpty { members["message"] = .string(message) }
        if !result.isEmpty { members["result"] = .object(result) }
        if isReplay { members["replay"] = true }
        members["boot"] = boot.map { .string($0.text) }
        for (name, number) in numbers { members[name] = number.map { .number($0) } }
        return members
    }

    private var numbers: [(String, Double?)] {
        [
            ("percent", percent), ("revision", revision.map(Double.init)),
            ("n", n.map(Double.init)), ("executions", executions.map(Double.init)),
            ("at", at.map { Double($0.milliseconds) }),
        ]
    }
}
