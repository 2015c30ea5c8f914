import DeviceDomain
import DeviceMessages

/// The arguments of the commands that every device takes (PROTOCOL section 5), beyond what their
/// schema can say.
enum CommonArguments {
    /// Checks them.
    static func check(_ request: BehaviourRequest) throws(ArgumentViolation) {
        switch request.name {
        case .queryCommands: _ = try ids(of: request)
        case .cancelCommand: _ = try id(of: request)
        case .commitClaim: _ = try nonce(of: request)
        default: return
        }
    }

    /// The ids that `query-commands` asks for.
    static func ids(of request: BehaviourRequest) throws(ArgumentViolation) -> [CommandID] {
        let values = request.arguments["ids"]?.array ?? []
        guard CommandSpecification.queryableIDs.contains(values.count) else {
            throw ArgumentViolation(path: "ids", reason: "must name 1 to 100 commands")
        }
        var ids: [CommandID] = []
        for (index, value) in values.enumerated() {
            ids.append(try commandID(value, at: "ids[\(index)]"))
        }
        return ids
    }

    /// The id that `cancel-command` takes back.
    static func id(of request: BehaviourRequest) throws(ArgumentViolation) -> CommandID {
        try commandID(request.arguments["id"] ?? .null, at: "id")
    }

    /// The claim that `commit-claim` ends.
    static func nonce(of request: BehaviourRequest) throws(ArgumentViolation) -> ClaimNonce {
        guard let nonce = request.arguments["nonce"]?.string.flatMap(ClaimNonce.init(rawValue:))
        else { throw ArgumentViolation(path: "nonce", reason: "must have 1 to 64 characters") }
        return nonce
    }

    private static func commandID(
        _ value: JSONValue, at path: String
    ) throws(ArgumentViolation) -> CommandID {
        guard let id = value.string.flatMap({ CommandID($0) }) else {
            throw ArgumentViolation(path: path, reason: "must be a UUID of version 7 in lower case")
        }
        return id
    }
}
