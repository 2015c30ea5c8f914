import ArgumentParser
import Homeport

/// The options of `provision` for a Matter device.
struct MatterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The code of a Matter device, in place of --qr: 11 or 21 digits, or the text of its QR code (MT:…).",
            discussion: """
                Or a file with it or with a picture of the QR code, or - for the first line of stdin. \
                Other users can read a code that is an argument in the list of processes.
                """,
            valueName: "code|file|-"))
    var matter: String?

    @Option(
        help: ArgumentHelp(
            "The channel whose Matter server takes the device.", valueName: "id"),
        transform: Parsing.identifier)
    var channel: ChannelID?

    @Option(
        help: ArgumentHelp(
            "The Thread network that the Matter server gives to new devices, its dataset in hexadecimal digits: "
                + "a secret of the keychain, or - for the first line of stdin.",
            valueName: "keychain:name|-"))
    var thread: WiFiPassword?

    @Flag(
        help: ArgumentHelp(
            "Look for the Matter device in the server's network alone, and not by Bluetooth.",
            discussion: "For a device that another controller shares."))
    var onNetwork = false

    /// The code and the channel; `nil` where no Matter device is meant.
    func target() throws -> (code: String, channel: ChannelID)? {
        guard let matter else {
            guard channel == nil, thread == nil, !onNetwork else {
                throw ValidationError("--channel, --thread and --on-network are for --matter")
            }
            return nil
        }
        guard let channel else {
            throw ValidationError(
                "--matter needs --channel: the channel whose Matter server takes the device")
        }
        return (matter, channel)
    }
}
