public import DeviceDomain
internal import DeviceMessages

/// What a rule does.
public enum RuleAction: Hashable, Sendable {
    /// It sends a command.
    case send(RuleCommand)
    /// It tells the user.
    case notify

    /// Whether it needs to know which devices the rule is about.
    var isForDevicesOfRule: Bool {
        switch self {
        case .send(let command): command.receiver == nil
        case .notify: false
        }
    }
}

/// A command that a rule sends.
public struct RuleCommand: Hashable, Sendable {
    /// The command.
    public let name: CommandName
    /// Its arguments.
    public let arguments: JSONObject
    /// The device that gets it; `nil` for the device that let the rule run, or all that the rule is about.
    public let receiver: DeviceID?

    public init(_ name: CommandName, _ arguments: JSONObject = [:], to receiver: DeviceID? = nil) {
        self.name = name
        self.arguments = arguments
        self.receiver = receiver
    }
}

/// As it is typed: `notify`, `set-reserve percent=30`.
extension RuleAction: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notify: "notify"
        case .send(let command): "\(command)"
        }
    }
}

extension RuleCommand: CustomStringConvertible {
    public var description: String {
        let arguments = arguments.sorted { $0.key < $1.key }.map { name, value in
            let text = value.string ?? String(decoding: JSONWriter.write(value), as: UTF8.self)
            return " \(name)=\(text)"
        }
        return name.rawValue + arguments.joined()
    }
}
