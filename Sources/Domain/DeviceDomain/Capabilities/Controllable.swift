/// A device that accepts commands.
public protocol Controllable: Device {}

extension Controllable {
    /// A command of this device by its name, checked against the device's own description.
    /// - Throws: ``CommandRefusal`` if the device has no such command or the arguments do not
    ///   fit it, or it has not described its commands.
    public func request(
        _ name: CommandName, arguments: JSONObject = [:]
    ) throws(CommandRefusal) -> CommandRequest<Self> {
        guard !profile.commands.isEmpty else {
            let isDescribed = profile != .undescribed(profile.id, in: profile.home)
            throw isDescribed ? .takesNoCommands : .undescribed
        }
        guard let specification = profile.specification(of: name) else {
            throw .unknownCommand(name, known: profile.commands.map(\.name))
        }
        do {
            try specification.arguments?.check(arguments)
            try profile.checkBeyondSchema(name, arguments)
        } catch {
            throw .badArguments(name, profile.namingRooms(in: error))
        }
        return CommandRequest(name, arguments)
    }
}

/// A command that a device would refuse according to its description.
public enum CommandRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The device has no command of this name.
    case unknownCommand(CommandName, known: [CommandName])
    /// An argument violates its schema.
    case badArguments(CommandName, ArgumentViolation)
    /// By its description the device takes no commands at all, as a sensor.
    case takesNoCommands
    /// The device has not described itself.
    case undescribed

    public var description: String {
        switch self {
        case .unknownCommand(let name, let known):
            let names = known.map(\.rawValue)
            let question = Suggestion.question(about: name.rawValue, among: names)
            let rest =
                question.isEmpty
                ? "; its commands are \(names.sorted().joined(separator: ", "))" : question
            return "the device has no command \(name.rawValue.debugDescription)\(rest)"
        case .badArguments(let name, let violation):
            return "\(name.rawValue): \(violation)"
        case .takesNoCommands: return "the device takes no commands"
        case .undescribed: return "the device has not described its commands yet"
        }
    }
}
