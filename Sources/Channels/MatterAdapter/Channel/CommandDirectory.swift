internal import Basics
internal import Connectivity
internal import DeviceDomain

/// The devices that the server has listed, for preparing commands on any thread.
final class CommandDirectory: Sendable {
    private let devices = Guarded<[DeviceID: MatterDevice]?>(nil)
    private let channel: ChannelID

    init(_ channel: ChannelID) { self.channel = channel }

    /// The list has changed.
    func update(_ devices: [DeviceID: MatterDevice]) { self.devices.withLock { $0 = devices } }

    /// The requests for an intent, a line each, without their ids.
    /// - Throws: `cannotExpress` if the device does not take it.
    func payload(of intent: CommandIntent) throws(CommunicationError) -> [UInt8] {
        try intent.checkIsPlain(for: "a Matter device")
        let command = try command(of: intent)
        try intent.check(against: command.specification)
        let arguments =
            command.specification.arguments?
            .replacingPresetNames(in: .object(intent.arguments)).object ?? intent.arguments
        return Array(command.requests(arguments).map(\.text).joined(separator: [Self.lineEnd]))
    }

    /// What separates the requests of a payload: no JSON text has it.
    static let lineEnd = UInt8(ascii: "\n")

    /// The command that an intent names, as its device takes it now.
    /// - Throws: `cannotExpress` if it does not.
    func command(of intent: CommandIntent) throws(CommunicationError) -> MatterCommand {
        guard let devices = devices.withLock({ $0 }) else {
            throw .cannotExpress("the Matter server of \(channel) has not listed its devices yet")
        }
        guard let device = devices[intent.device] else {
            throw .cannotExpress("the Matter server of \(channel) does not list \(intent.device)")
        }
        guard let command = device.commands[intent.name] else {
            throw intent.unknownCommand(
                of: device.profile.name, knowing: device.commands.all.map(\.specification))
        }
        return command
    }
}
