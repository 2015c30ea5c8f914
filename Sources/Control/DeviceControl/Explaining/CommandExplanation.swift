public import Connectivity
public import DeviceDomain
internal import DeviceMessages

/// Why a command is where it is: what happened to it, in order, and what happens next.
///
/// It follows from the ledger alone. Its sentences are for people who know devices, not this software.
public struct CommandExplanation: Hashable, Sendable {
    /// Something that happened.
    public struct Step: Hashable, Sendable {
        /// When it was written down (wire clock); not before the step before it, as several machines, whose clocks
        /// differ, may have written.
        public internal(set) var at: Timestamp
        /// What kind of event it was.
        public let kind: LedgerEvent.Kind
        /// What happened, in a sentence.
        public internal(set) var text: String
        /// The state after it, where it changed the state.
        public let state: CommandState?
        /// More about it, as the ledger keeps it: by it other languages say what happened.
        public internal(set) var detail: JSONObject
    }

    /// The command as it stands.
    public let record: CommandRecord
    /// What happened to it.
    public let steps: [Step]
    /// What its state means, in sentences.
    public let meaning: String
    /// What it waits for and what happens next, in sentences.
    public let next: String

    /// Explains a command by its record and its part of the log.
    /// - Parameters:
    ///   - tenures: who owned the home during its life.
    ///   - traits: what its channel can report.
    ///   - moment: when it is explained (wire clock).
    public init(
        _ record: CommandRecord, _ events: [LedgerEvent], under tenures: [HomeTenure] = [],
        over traits: ChannelTraits = ChannelTraits(ChannelTrait.allCases), at moment: Timestamp
    ) {
        self.record = record
        // As people may see them: without secrets.
        let arguments = events.first { $0.kind == .created }?.detail["arguments"]?.object
        steps =
            events.withoutUnsent(of: record.progress).map { event in
                Step(
                    at: event.at, kind: event.kind,
                    text: event.sentence(about: record.intent, with: arguments ?? [:]),
                    state: event.state, detail: event.detail)
            }
            .under(tenures).inOrder
        let answer = events.last { $0.kind == .answered && $0.detail["outcome"] != nil }
        let isKept = record.progress.isKept
        let canBeAsked = traits.contains(.asking)
        meaning =
            (isKept || traits.contains(.acceptance) ? nil : record.meaningWithoutAcceptance)
            ?? record.meaning(isSilenceUnusual: canBeAsked && answer == nil)
        next =
            record.nextStepOfClosed
            ?? (isKept || canBeAsked ? nil : record.nextStepUnasked(at: moment))
            ?? (record.state == .unknown && answer?.detail["outcome"] == "forgotten"
                ? record.nextStepOfForgotten : record.nextStep(at: moment))
    }
}

extension [LedgerEvent] {
    /// Without the sends that did not leave. A send is written down before it is tried; the number of one that did not
    /// leave goes to the next one.
    fileprivate func withoutUnsent(of progress: CommandProgress) -> [LedgerEvent] {
        var following = progress.sends + 1
        return reversed().filter { event in
            guard event.kind == .sent, let attempt = event.detail["attempt"]?.integer else {
                return true
            }
            guard attempt < following else { return false }
            following = attempt
            return true
        }.reversed()
    }
}

extension LedgerEvent {
    /// - Parameter arguments: those of the command, without secrets.
    fileprivate func sentence(
        about intent: CommandIntent, with arguments: JSONObject
    ) -> String {
        switch kind {
        case .created:
            return "\(intent.controller) recorded it in the ledger" + reason(cause)
        case .sent where detail["desiredRevision"] != nil:
            let revision = detail["desiredRevision"]?.integer ?? 0
            return "written as revision \(revision) of the settings kept for \(intent.device)"
        case .sent:
            let attempt = detail["attempt"]?.integer ?? 1
            return attempt == 1
                ? "sent to \(intent.device)"
                : "sent to \(intent.device) again, as attempt \(attempt)"
        case .receipt where detail["receipt"]?.string == "confirmed":
            return "the channel confirmed that it has it"
        case .evidence where showsEffect:
            let effect =
                arguments.isEmpty
                ? "the effect of \(intent.name.rawValue)" : Self.listed(arguments)
            return "the state of \(intent.device) shows \(effect)\(report)"
        case .evidence where cause.isEmpty:
            let stage = detail["stage"]?.string ?? "something"
            return "\(intent.device) says \(stage)\(report)"
        case .evidence, .answered: return cause + report
        case .withdrawn where cause.isEmpty: return "taken back"
        default: return cause.isEmpty ? kind.rawValue : cause
        }
    }

    /// What a device said beyond the stage.
    private var report: String {
        var parts: [String] = []
        if let code = detail["code"]?.string, code != AckCode.ok.rawValue { parts.append(code) }
        if let message = detail["message"]?.string { parts.append(message) }
        if let percent = detail["percent"]?.number {
            parts.append("\(JSONText.brief(.number(percent))) % done")
        }
        if let result = detail["result"]?.object, !result.isEmpty {
            parts.append(Self.listed(result))
        }
        if detail["replay"] == true { parts.append("it said so before") }
        return reason(parts.joined(separator: ", "))
    }

    private func reason(_ text: String) -> String { text.isEmpty ? "" : ": \(text)" }

    /// Whether the channel has seen what the command asks for in the state of the device.
    private var showsEffect: Bool {
        detail["source"]?.string == CommandEvidence.Source.readBack.rawValue
            && detail["stage"]?.string == AckStage.succeeded.rawValue
    }

    private static func listed(_ members: JSONObject) -> String {
        members.sorted { $0.key < $1.key }.map { "\($0)=\(JSONText.brief($1))" }
            .joined(separator: ", ")
    }
}

/// Values as people read them.
private enum JSONText {
    static func brief(_ value: JSONValue) -> String {
        value.string ?? String(decoding: JSONWriter.write(value), as: UTF8.self)
    }
}

extension CommandRecord {
    fileprivate func meaning(isSilenceUnusual: Bool) -> String {
        let meaningOfState = meaningOfState + (isSilenceUnusual ? silence ?? "" : "")
        guard intent.isDryRun else { return meaningOfState }
        let device = intent.device
        let answer =
            switch state {
            case .succeeded: "\(device) says that it could carry it out now."
            case .unknown: "\(device) has not said whether it could carry it out."
            default: meaningOfState
            }
        return answer + " It is a dry run, which changes nothing."
    }

    private var meaningOfState: String {
        let (device, channel) = (intent.device, prepared.channel)
        if progress.isKept, state != .unknown { return keptMeaning }
        switch state {
        case .created, .queued:
            guard progress.mayHaveLeft else { return "It waits here and has not left." }
            return progress.timings.sentAt == nil
                ? "It is not known whether it has left."
                : "The channel \(channel) had it once; \(device) has not answered yet."
        case .sending: return "It is on its way; nothing has confirmed it yet."
        case .sent: return "The channel \(channel) has it; \(device) has not answered yet."
        case .accepted: return "\(device) has accepted it."
        case .running: return "\(device) carries it out."
        case .succeeded: return "\(device) says that it has carried it out."
        case .failed: return "\(device) tried to carry it out and could not."
        case .rejected: return "\(device) refused it; it had no effect."
        case .cancelled: return "It was taken back."
        case .superseded: return "Another command took its place."
        case .refused: return "It was given up before it reached \(device); it had no effect."
        case .expired:
            return "The time in which it could start passed before \(device) started it; it had no "
                + "effect."
        case .unknown:
            return "Nobody knows whether \(device) has carried it out."
        }
    }

    /// What a lasting silence of the device may mean; `nil` where it has answered, or nothing was confirmed.
    private var silence: String? {
        guard state == .unknown, !progress.isKept, progress.lastAck == 0,
            progress.timings.acceptedAt == nil, progress.code == nil,
            progress.timings.sentAt != nil
        else { return nil }
        return
            " The broker confirmed it, and \(intent.device) has not answered at all. On MQTT 3.1.1 a broker "
            + "confirms also what its access rules forbid: they must let "
            + "\(intent.controller) publish to the commands of \(intent.device), and let "
            + "\(intent.device) read them."
    }

    private var keptMeaning: String {
        let device = intent.device
        guard progress.timings.sentAt != nil else {
            return
                "It is written into the settings that are kept for \(device); nothing has confirmed "
                + "that yet."
        }
        return "It is in the settings that are kept for \(device), which has not reported it yet."
    }

    fileprivate var nextStepOfForgotten: String {
        "It stays unknown, and is not sent again: \(intent.device) can no longer tell. The state of "
            + "\(intent.device) shows what holds now. 'homeport resolve --accept \(id)' puts it away."
    }

    fileprivate func nextStep(at moment: Timestamp) -> String {
        let device = intent.device
        if isOverdue(at: moment) {
            return
                "It is not sent any more: the time in which it may start has passed. The next homeport "
                + "with this ledger that connects writes down that it has expired."
        }
        if progress.isKept, state != .unknown {
            return
                "\(device) applies it when it returns and reports it in its state. The homeport that "
                + "waits for it, or the next one with this ledger that connects, hears that. If "
                + "\(device) is there and does not apply it, it may refuse it: sent again, it goes to "
                + "\(device) itself, which answers. Another \(intent.name.rawValue) takes its place."
        }
        switch state {
        case .created, .queued:
            return progress.mayHaveLeft
                ? "When \(device) can be reached, the homeport that sent it sends the same bytes again; "
                    + "\(device) knows them by their id and runs them once. If that homeport has ended, "
                    + "the next one with this ledger asks \(device) about it and does not send it."
                : "It is sent when \(device) can be reached, by the homeport that waits for it or the "
                    + "next one with this ledger that connects. After the time in which it may start it "
                    + "expires."
        case .sending, .sent:
            return
                "The acknowledgement of \(device) is awaited. Without one the homeport that sent it sends "
                + "the same bytes again; \(device) knows them by their id and runs them once. If that "
                + "homeport has ended, the next one with this ledger asks \(device) about it. After the "
                + "time in which it may start, \(device) does not start it any more; 'homeport serve' "
                + "and 'homeport resolve' ask it what became of it."
        case .accepted, .running:
            return
                "The final acknowledgement of \(device) is awaited. If \(device) is silent for too "
                + "long or restarts, it is asked."
        case .unknown:
            return
                "It is not sent again, because it might run twice. A late acknowledgement tells; "
                + "'homeport resolve' asks \(device)."
        case .succeeded, .failed, .rejected, .cancelled, .superseded, .refused, .expired:
            return "Nothing: it has ended."
        }
    }
}
