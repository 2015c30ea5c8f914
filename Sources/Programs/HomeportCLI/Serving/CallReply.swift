import Homeport
import LocalServices

/// What a server writes to the process that called it: lines of JSON.
enum CallReply: Hashable, Sendable {
    /// The server is there and waits for the call. It is the first reply: before it a caller sends nothing,
    /// so that a server that was stopped and goes on runs no call that its caller has given up.
    case ready
    /// For stdout.
    case results(String)
    /// For stderr.
    case remarks(String)
    /// The call has ended with this exit status.
    case status(Int32)
    /// The server does not run this call; the caller does it by itself.
    case declined

    /// Reads a line without its end. One of another kind counts as a call that is declined: the server is of
    /// another version.
    init(line: [UInt8]) {
        // What was written for a terminal or a file has no limit.
        let limits = JSONLimits(bytes: .max, depth: 2)
        guard let members = try? LineMembers(line, limits: limits) else {
            self = .declined
            return
        }
        let texts = members.allTexts
        self =
            switch (texts["reply"], texts["text"], try? members.integer("status")) {
            case ("ready", _, _): .ready
            case ("results", let text?, _): .results(text)
            case ("remarks", let text?, _): .remarks(text)
            case ("status", _, let status?): .status(Int32(truncatingIfNeeded: status))
            case (_, _, _): .declined
            }
    }

    /// The line, without its end.
    var line: [UInt8] {
        let members: JSONObject =
            switch self {
            case .ready: ["reply": "ready"]
            case .results(let text): ["reply": "results", "text": .string(text)]
            case .remarks(let text): ["reply": "remarks", "text": .string(text)]
            case .status(let status): ["reply": "status", "status": .integer(Int(status))]
            case .declined: ["reply": "declined"]
            }
        return JSONWriter.write(.object(members))
    }
}
