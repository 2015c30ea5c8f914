internal import DeviceDomain
internal import DeviceMessages

/// Why a request failed, as the server says it.
struct ServerFailure: Hashable, Sendable {
    /// The server's number of the error.
    let code: Int
    /// The server's words.
    let details: String

    init(code: Int, details: String) {
        self.code = code
        self.details = details
    }

    /// `nil` where the message is no error.
    init?(_ members: JSONObject) {
        guard let code = members["error_code"]?.integer else { return nil }
        self.init(code: code, details: members["details"]?.string ?? "")
    }

    /// What it means for a command. Only error 0 says what a device thinks, and that in its words; anything else that
    /// is not known leaves open what happened.
    var verdict: AnswerVerdict {
        switch code {
        case 0: Self.interaction(details) ?? .undecided(words)
        case 3, 4, 5: .refused(.notReady, words)
        case 8, 9: .refused(.badRequest, words)
        default: .undecided(words)
        }
    }

    private var words: String {
        details.isEmpty ? "the Matter server reports error \(code)" : details
    }

    /// Reads `InteractionModelError: NAME (0x81)`; a wrong cluster or command name is the server's own refusal.
    private static func interaction(_ details: String) -> AnswerVerdict? {
        guard let mark = details.firstRange(of: "InteractionModelError"),
            let open = details[mark.upperBound...].firstRange(of: "(0x")
        else { return ownRefusal(details) }
        let digits = details[open.upperBound...].prefix { $0.isHexDigit }
        guard let status = Int(digits, radix: 16) else { return nil }
        return AnswerVerdict(status: status, details)
    }

    private static func ownRefusal(_ details: String) -> AnswerVerdict? {
        let isUnknownName = details.contains("has no attribute") || Int(details) != nil
        return isUnknownName
            ? .refused(.unknownCommand, "the Matter server does not know the command: \(details)")
            : nil
    }
}

/// What an answer says of a command.
enum AnswerVerdict: Hashable, Sendable {
    /// The device has accepted it.
    case accepted
    /// It was definitely not carried out.
    case refused(AckCode, String)
    /// It may or may not have been carried out.
    case undecided(String)

    /// The verdict of a status of the interaction model (Matter core specification, 8.10).
    init(status: Int, _ words: String) {
        switch status {
        case 0: self = .accepted
        case 0x94: self = .undecided(words)
        default: self = .refused(Self.codes[status] ?? .internal, words)
        }
    }

    private static let codes: [Int: AckCode] = [
        0x9C: .busy, 0x89: .busy, 0x81: .unknownCommand, 0x86: .unknownCommand,
        0xC3: .unknownCommand, 0x7F: .unknownCommand, 0x85: .unknownCommand, 0x87: .badArguments,
        0x8D: .badArguments, 0xCF: .badArguments, 0x7E: .forbidden, 0x9D: .forbidden,
        0xCB: .wrongState,
    ]

    /// The verdict of the result of a request: a failed write and a cluster's own refusal are success messages.
    init(result: JSONValue) {
        if let statuses = result.array {
            self = Self.write(statuses)
        } else if let state = result.object?["commandResponseState"] {
            self = Self.operation(state)
        } else if let status = result.object?["status"]?.integer, status != 0 {
            let text = result.object?["statusText"]?.string ?? ""
            self = .refused(
                status == 1 ? .badArguments : .wrongState,
                text.isEmpty ? "the device answered with status \(status)" : text)
        } else {
            self = .accepted
        }
    }

    private static func write(_ statuses: [JSONValue]) -> AnswerVerdict {
        for entry in statuses {
            let status = entry.object?["Status"] ?? entry.object?["status"]
            guard let status = status?.integer, status != 0 else { continue }
            let number = "0x" + String(status, radix: 16)
            return AnswerVerdict(status: status, "the device refused the value: status \(number)")
        }
        return .accepted
    }

    private static func operation(_ state: JSONValue) -> AnswerVerdict {
        guard let error = OperationalError(state), error.id != 0 else { return .accepted }
        return .refused(.wrongState, "the device refused it: \(error.text)")
    }
}
