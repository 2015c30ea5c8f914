import DeviceDomain
import DeviceMessages

/// What an ack says, without what the device adds to it.
struct Verdict: Hashable, Sendable {
    /// How far the command is.
    var stage: AckStage
    /// Why.
    var code: AckCode
    /// Why, in words.
    var message = ""
    /// How far a running action is, 0…100.
    var percent: Double?
    /// What came of it.
    var result: JSONObject = [:]

    /// The command was taken up.
    static let accepted = Verdict(stage: .accepted, code: .ok)

    /// The command did what was asked.
    static func succeeded(_ result: JSONObject = [:]) -> Verdict {
        Verdict(stage: .succeeded, code: .ok, result: result)
    }

    /// The command could not do what was asked.
    static func failed(_ code: AckCode, _ message: String) -> Verdict {
        Verdict(stage: .failed, code: code, message: message)
    }

    /// The command could not do what was asked, because of what refuses it.
    static func failed(_ refusal: BehaviourRefusal) -> Verdict {
        .failed(refusal.code, refusal.message)
    }

    /// The command could not do what was asked, because of its arguments.
    static func failed(_ violation: ArgumentViolation) -> Verdict {
        .failed(.badArguments, "\(violation)")
    }

    /// The command was not taken up.
    static func rejected(_ code: AckCode, _ message: String) -> Verdict {
        Verdict(stage: .rejected, code: code, message: message)
    }

    /// The command was not taken up, because of what refuses it.
    static func rejected(_ refusal: BehaviourRefusal) -> Verdict {
        .rejected(refusal.code, refusal.message)
    }

    /// The command was ended by another one.
    static func superseded(by name: CommandName) -> Verdict {
        Verdict(stage: .superseded, code: .superseded, message: "ended by \(name.rawValue)")
    }

    /// The command was ended on demand.
    static func cancelled(by name: CommandName) -> Verdict {
        Verdict(stage: .cancelled, code: .cancelled, message: "ended by \(name.rawValue)")
    }

    /// How an action ended by itself.
    init(_ outcome: ActionOutcome) {
        switch outcome {
        case .succeeded(let result): self = .succeeded(result)
        case .failed(let code, let message): self = .failed(code, message)
        }
    }

    init(
        stage: AckStage, code: AckCode, message: String = "", percent: Double? = nil,
        result: JSONObject = [:]
    ) {
        self.stage = stage
        self.code = code
        self.message = message
        self.percent = percent
        self.result = result
    }
}
