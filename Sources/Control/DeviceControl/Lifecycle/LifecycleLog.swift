internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// What the ledger's log says of an event that a command has handled.
struct LifecycleLog: Hashable, Sendable {
    /// What happened.
    let event: LifecycleEvent
    /// The command that it happened to.
    let intent: CommandIntent
    /// The command's progress before the event.
    let before: CommandProgress
    /// Its progress after the event.
    let after: CommandProgress

    /// What is written, in this order; empty for what the ledger itself writes down.
    func entries(at time: Timestamp) -> [LedgerEvent] {
        var events = [entry(at: time)].compactMap(\.self)
        if after.timings.observedAt != before.timings.observedAt, events.last?.kind != .observed {
            events.append(
                made(.observed, "the state of \(intent.device) contains the effect", time))
        }
        if isSend {
            var detail: JSONObject = ["attempt": .integer(after.sends)]
            detail["desiredRevision"] = after.desiredRevision.map(JSONValue.integer)
            events.append(made(.sent, "attempt \(after.sends)", time, detail))
        }
        if after.state != before.state, !events.isEmpty { complete(&events[events.count - 1]) }
        return events
    }

    /// The last entry tells the state after the whole change.
    private func complete(_ event: inout LedgerEvent) {
        event.state = after.state
        // The ledger recognises evidence by its detail.
        guard after.state.isSettled, event.kind != .evidence else { return }
        event.detail["progress"] = after.told
    }

    /// Whether the event led to another send.
    private var isSend: Bool { after.sends > before.sends }

    private func entry(at time: Timestamp) -> LedgerEvent? {
        switch event {
        // The ledger itself says that a command was taken in or over.
        case .enqueued: return nil
        case .adopted(let reach), .reach(let reach):
            return made(.reach, reach.explanation(of: intent.device), time)
        case .withdrawn: return nil
        case .overruled(let later):
            return made(.withdrawn, "a later \(later.rawValue) contradicts it", time)
        case .settings(let reading):
            return made(.read, reading.explanation(of: intent.device), time, reading.detail)
        case .applied(let settings):
            return made(
                .observed,
                "\(intent.device) has applied revision \(settings.revision) of its settings", time,
                ["desiredRevision": .integer(settings.revision)])
        case .sendEnded(let result):
            return made(.receipt, result.explanation, time, ["receipt": .string(result.name)])
        case .evidence(let evidence):
            return LedgerEvent(evidence, at: time, cause: evidence.explanation)
        case .boot(let boot): return made(.reach, "\(intent.device) is online as \(boot)", time)
        case .state(let revision):
            return made(
                .observed, "the state of \(intent.device) has revision \(revision)", time,
                ["revision": .integer(revision)])
        case .answer(let answer):
            return made(
                .answered, answer.explanation(of: intent.device), time, answer.detail, answer.raw)
        case .wake:
            return made(
                .deadline, isSend ? "it is time to send it again" : after.message, time)
        }
    }

    private func made(
        _ kind: LedgerEvent.Kind, _ cause: String, _ time: Timestamp, _ detail: JSONObject = [:],
        _ raw: [UInt8] = []
    ) -> LedgerEvent {
        LedgerEvent(kind, of: intent.id, at: time, cause: cause, detail: detail, raw: raw)
    }
}

extension Reach {
    /// What it means for a device, for people.
    func explanation(of device: DeviceID) -> String {
        switch self {
        case .linkDown(let reason): reason.isEmpty ? "there is no link to \(device)" : reason
        case .offline: "\(device) is offline"
        case .reachable: "\(device) can be reached"
        case .refused(_, let reason): reason
        }
    }
}

extension DesiredReading {
    fileprivate func explanation(of device: DeviceID) -> String {
        let found =
            kept.map { "the settings kept for \(device) have revision \($0.revision)" }
            ?? "no settings are kept for \(device)"
        return found + (applied.map { ", it has applied revision \($0.revision)" } ?? "")
    }

    fileprivate var detail: JSONObject {
        var detail: JSONObject = [:]
        detail["desiredRevision"] = kept.map { .integer($0.revision) }
        detail["appliedRevision"] = applied.map { .integer($0.revision) }
        return detail
    }
}

extension SendResult {
    fileprivate var name: String {
        switch self {
        case .receipt(.confirmed): "confirmed"
        case .receipt(.confirmedWithoutEvidence): "confirmed-without-evidence"
        case .receipt(.noReceiver): "no-receiver"
        case .receipt(.refused): "refused"
        case .neverLeft, .cannotLeave: "never-left"
        case .mayHaveLeft: "may-have-left"
        }
    }

    fileprivate var explanation: String {
        switch self {
        case .receipt(.confirmed): "the link has taken charge of it"
        case .receipt(.confirmedWithoutEvidence):
            "the channel confirmed that it has it; what it sets cannot be read, so nothing shows "
                + "whether it took effect"
        case .receipt(.noReceiver): "no device is subscribed to these commands"
        case .receipt(.refused(_, let reason)), .cannotLeave(_, let reason): reason
        case .neverLeft(let reason), .mayHaveLeft(let reason): reason
        }
    }
}

extension CommandEvidence {
    fileprivate var explanation: String {
        switch source {
        case .device: "\(device) says \(stage.rawValue)"
        case .bridge: "the channel of \(device) says \(stage.rawValue)"
        case .readBack where stage == .succeeded: "the state of \(device) shows the effect"
        case .readBack: "the state of \(device) shows that it \(stage.rawValue)"
        }
    }
}

extension StatusAnswer {
    fileprivate var detail: JSONObject {
        switch self {
        case .told(.known(let evidence)):
            evidence.members.merging(["outcome": "known"]) { kept, _ in kept }
        case .told(.never): ["outcome": "never"]
        case .told(.forgotten): ["outcome": "forgotten"]
        case .none: [:]
        }
    }

    fileprivate var raw: [UInt8] {
        if case .told(.known(let evidence)) = self { evidence.raw } else { [] }
    }

    fileprivate func explanation(of device: DeviceID) -> String {
        switch self {
        case .told(.known(let evidence)): "asked, \(evidence.explanation)"
        case .told(.never): "asked, \(device) says that it never received it"
        case .told(.forgotten): "asked, \(device) says that it can no longer tell"
        case .none(let reason):
            reason.isEmpty ? "\(device) did not answer" : "\(device) did not answer: \(reason)"
        }
    }
}
