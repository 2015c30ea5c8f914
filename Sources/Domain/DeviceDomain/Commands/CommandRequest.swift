/// A command that is meant for a receiver of one type: `.startCleaning()` of an energy store does
/// not compile.
///
/// It contains the command, not how it is sent. Commands are created by static members that check their
/// values. A kind of device outside this package adds its own in an extension:
///
/// ```swift
/// extension CommandRequest where Receiver == Lawnmower {
///     static var mow: Self { Self(CommandName(rawValue: "mow")) }
/// }
/// ```
public struct CommandRequest<Receiver: Device>: Hashable, Sendable {
    /// The command's name.
    public let name: CommandName
    /// Its arguments, as the receiver's description declares them.
    public let arguments: JSONObject

    /// A command by its name on the wire; the values must have been checked.
    public init(_ name: CommandName, _ arguments: JSONObject = [:]) {
        self.name = name
        self.arguments = arguments
    }
}

extension CommandRequest where Receiver: Controllable {
    /// Makes the device identify itself.
    public static var identify: Self { Self(.identify) }
}

extension CommandRequest where Receiver: Stoppable {
    /// Ends the running action and those that wait.
    public static var stop: Self { Self(.stop) }
}

extension CommandRequest where Receiver: Pausable {
    /// Pauses the running action.
    public static var pause: Self { Self(.pause) }
    /// Resumes the paused action.
    public static var resume: Self { Self(.resume) }
}
