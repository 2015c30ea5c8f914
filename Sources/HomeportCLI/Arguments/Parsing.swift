import ArgumentParser
import Homeport

/// Parses the texts of options. A text that does not fit is a usage error that states the rule.
enum Parsing {
    /// An identifier of the protocol.
    @Sendable
    static func identifier<Role>(_ text: String) throws -> Identifier<Role> {
        do {
            return try Identifier(text)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// The id of a command.
    @Sendable
    static func command(_ text: String) throws -> CommandID {
        guard let id = CommandID(text) else {
            throw ValidationError("write the id of a command, as 'history' lists it")
        }
        return id
    }

    /// A duration above zero.
    @Sendable
    static func duration(_ text: String) throws -> Duration {
        guard let duration = Duration(text: text), duration > .zero else {
            throw ValidationError(
                "write a duration above zero as 500ms, 30s, 10m or 24h")
        }
        return duration
    }

    /// A number of things, at least one.
    @Sendable
    static func count(_ text: String) throws -> Int {
        guard let count = Int(text), count > 0 else {
            throw ValidationError("write a whole number above zero")
        }
        return count
    }

    /// How far a command must have come.
    @Sendable
    static func waitTarget(_ text: String) throws -> WaitTarget {
        guard let target = WaitTarget(rawValue: text) else {
            let known = WaitTarget.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("write one of \(known)")
        }
        return target
    }

    /// A version of MQTT: `5` or `3.1.1`.
    @Sendable
    static func version(_ text: String) throws -> MQTTProtocolVersion {
        switch text {
        case "5": return .v5
        case "3.1.1": return .v3_1_1
        default: throw ValidationError("write 5 or 3.1.1")
        }
    }
}
