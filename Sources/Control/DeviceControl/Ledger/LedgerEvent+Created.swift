internal import Connectivity
public import DeviceDomain

extension LedgerEvent {
    /// The entry of a command into the ledger: what is wanted of which device, and on whose behalf.
    public init(entering record: CommandRecord, from draft: CommandDraft, at moment: Timestamp) {
        let intent = record.intent
        var detail: JSONObject = [
            "controller": .string(intent.controller.text), "home": .string(intent.home.text),
            "device": .string(intent.device.text), "channel": .string(record.prepared.channel.text),
            "name": .string(intent.name.rawValue), "arguments": .object(draft.shownArguments),
            "expiresAt": .integer(intent.expiresAt.milliseconds),
        ]
        detail["ifRevision"] = intent.ifRevision.map(JSONValue.integer)
        detail["cause"] = intent.cause.map(JSONValue.string)
        if intent.isDryRun { detail["dryRun"] = true }
        if record.state.isSettled { detail["progress"] = record.progress.told }
        self.init(
            .created, of: record.id, at: moment, cause: draft.cause, state: record.state,
            detail: detail)
    }
}
