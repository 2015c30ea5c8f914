import Basics
package import DeviceDomain
package import DeviceMessages

extension ScriptedCommand {
    /// How long a command may take until it is started, by the wire clock: what `homeport send` allows a device that
    /// is online (CLI.md, `--expires`).
    package static let lifetime = Duration.seconds(30)

    /// The command as it is sent.
    /// - Parameters:
    ///   - wire: when that is (wire clock).
    ///   - meant: when it was meant to be sent (wire clock), which its id says; `nil` for now.
    ///   - sequence: its number for the device (PROTOCOL section 2).
    package func message(
        by controller: ControllerID, issuedAt wire: Timestamp, meantAt meant: Timestamp? = nil,
        sequence: Int
    ) -> CommandMessage {
        var generator = SeededGenerator(seed: seed)
        return CommandMessage(
            id: CommandID(at: meant ?? wire, using: &generator), controller: controller, name: name,
            arguments: arguments, issuedAt: wire, expiresAt: wire.advanced(by: Self.lifetime),
            sequence: sequence)
    }
}
