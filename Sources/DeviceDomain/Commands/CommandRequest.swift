/// A command that is meant for a receiver of one type: `startCleaning` of an energy store does
/// not compile.
///
/// It says what is wanted, not how it is sent: the id, the times and the fate of the command
/// belong to the control of devices.
public struct CommandRequest<Receiver: Device>: Hashable, Sendable {
    /// The command's name.
    public let name: CommandName
    /// Its arguments, as the receiver's description declares them.
    public let arguments: JSONObject

    init(_ name: CommandName, _ arguments: JSONObject = [:]) {
        self.name = name
        self.arguments = arguments
    }
}
