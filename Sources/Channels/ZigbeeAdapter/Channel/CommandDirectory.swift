internal import Basics
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The devices in the bridge's list, for preparing commands on any thread.
final class CommandDirectory: Sendable {
    private struct State {
        var devices: [DeviceID: ListedDevice] = [:]
        var isListed = false
    }

    private let state = Guarded(State())
    private let bridge: DeviceID
    private let base: BaseTopic

    init(bridge: DeviceID, base: BaseTopic) {
        self.bridge = bridge
        self.base = base
    }

    /// The bridge has published its list.
    func update(_ devices: [DeviceID: ListedDevice]) {
        state.withLock { $0 = State(devices: devices, isListed: true) }
    }

    /// The payload for an intent.
    /// - Throws: `cannotExpress` if zigbee2mqtt does not support it.
    func payload(of intent: CommandIntent) throws(CommunicationError) -> [UInt8] {
        try intent.checkIsPlain(for: "zigbee2mqtt")
        if intent.device == bridge { return try Self.permitJoin(intent) }
        let command = try command(of: intent)
        try intent.check(against: command.specification)
        let payload = try intent.requireArguments(command.payload(intent.arguments))
        return JSONWriter.write(.object(payload))
    }

    /// The command that an intent names, as its device supports it now.
    /// - Throws: `cannotExpress` if it does not.
    func command(of intent: CommandIntent) throws(CommunicationError) -> BridgeCommand {
        let device = try listing(of: intent.device)
        if let problem = device.problem {
            throw .cannotExpress("\(device.name) takes no commands: \(problem)")
        }
        guard let command = device.commands[intent.name] else {
            throw intent.unknownCommand(
                of: "\(device.name)", knowing: device.commands.all.map(\.specification))
        }
        return command
    }

    /// A device of the list.
    /// - Throws: `cannotExpress` if it is not there.
    func listing(of device: DeviceID) throws(CommunicationError) -> ListedDevice {
        let state = state.withLock { $0 }
        guard state.isListed else {
            throw .cannotExpress("zigbee2mqtt has not listed its devices below \(base.text) yet")
        }
        guard let listing = state.devices[device] else {
            throw .cannotExpress("zigbee2mqtt does not list \(device) below \(base.text)")
        }
        return listing
    }

    private static func permitJoin(_ intent: CommandIntent) throws(CommunicationError) -> [UInt8] {
        guard intent.name == CommandSpecification.permitJoin.name else {
            throw intent.unknownCommand(of: "the bridge", knowing: [.permitJoin])
        }
        try intent.check(against: .permitJoin)
        return JSONWriter.write([
            "time": intent.arguments["seconds"] ?? 0, "transaction": .string(intent.id.text),
        ])
    }
}
