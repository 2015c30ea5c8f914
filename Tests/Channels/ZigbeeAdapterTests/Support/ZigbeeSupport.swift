import Connectivity
import DeviceDomain
import DeviceMessages
import MQTTClient
import MQTTLink
import TestSupport
import ZigbeeAdapter

/// Opens a channel to a bridge for one test, and takes it down again.
func withChannel<Value>(
    _ url: String, id: String = "attic", base: String = "zigbee2mqtt", opening: Bool = true,
    _ adjust: (inout ZigbeeChannelConfiguration) -> Void = { _ in },
    _ body: (ZigbeeChannel) async throws -> Value
) async throws -> Value {
    var configuration = try ZigbeeChannelConfiguration(
        id: try ChannelID(id), home: home,
        link: MQTTLinkConfiguration(
            broker: try MQTTBrokerAddress(url: url), clientIDPrefix: id,
            reconnect: MQTTReconnectPolicy(initial: .milliseconds(20), cap: .milliseconds(100))),
        baseTopic: base,
        readBack: ReadBackTiming(
            delay: .milliseconds(30), interval: .milliseconds(30), settled: .milliseconds(300),
            longest: .seconds(2)))
    adjust(&configuration)
    let loop = try MQTTEventLoop(label: "channel")
    let channel = ZigbeeChannel(configuration, on: loop)
    do {
        if opening { try await channel.open() }
        let value = try await body(channel)
        await channel.close()
        await loop.shutdown()
        return value
    } catch {
        await channel.close()
        await loop.shutdown()
        throw error
    }
}

/// Runs `body` with a broker, a bridge of these devices on it, and a channel to it.
func withBridge<Value>(
    _ devices: [(SampleDevice, ScriptedBridge.Behaviour)] = [(.lamp, .obeys)],
    errorWindow: Duration = .seconds(15),
    _ body: (ZigbeeChannel, ScriptedBridge) async throws -> Value
) async throws -> Value {
    try await withBroker { broker in
        try await ScriptedBridge.with(broker.url, devices) { bridge in
            let adjust = { (configuration: inout ZigbeeChannelConfiguration) in
                configuration.readBack.errorWindow = errorWindow
            }
            return try await withChannel(broker.url, adjust) { try await body($0, bridge) }
        }
    }
}

/// The home of the tests.
let home = HomeID(rawValue: "home-1") ?? { preconditionFailure("a valid id") }()
/// The lamp of ``SampleDevice/lamp``.
let lamp = device(SampleDevice.lamp.address)

/// A device id of the tests.
func device(_ text: String) -> DeviceID {
    DeviceID(rawValue: text) ?? { preconditionFailure("a valid id") }()
}

/// An id of a command.
func makeCommandID() -> CommandID {
    return CommandID(at: Timestamp(milliseconds: 1_764_000_000_000))
}

/// A command for a device.
func intent(
    _ name: String, _ arguments: JSONObject = [:], for device: DeviceID = lamp,
    isDryRun: Bool = false, ifRevision: Int? = nil, lifetime: Duration = .seconds(30)
) throws -> CommandIntent {
    let now = Timestamp(milliseconds: 1_764_000_000_000)
    return CommandIntent(
        id: makeCommandID(), controller: try ControllerID("ctl"), home: home, device: device,
        name: CommandName(rawValue: name), arguments: arguments, sort: .setting, issuedAt: now,
        expiresAt: now.advanced(by: lifetime), ifRevision: ifRevision, isDryRun: isDryRun)
}

/// A conversation with one device, for a test.
struct Talk {
    let service: any CommunicationService

    /// Begins to talk.
    init(_ channel: ZigbeeChannel, _ device: DeviceID = lamp) async throws {
        service = channel.service(for: device, in: home)
        try await service.connect(to: GenericDevice(profile: .undescribed(device, in: home)))
    }

    /// Sends a command, and returns it.
    @discardableResult
    func send(_ intent: CommandIntent) async throws -> CommandID {
        let prepared = try service.prepare(intent, sequence: 1)
        let receipt = try await service.sendMessage(prepared, attempt: 1)
        guard receipt == .confirmed || receipt == .confirmedWithoutEvidence else {
            throw TestSupportError("not delivered: \(receipt)")
        }
        return intent.id
    }

    /// The next evidence of any command of the device.
    func evidence() async -> CommandEvidence? {
        for await message in service.messages {
            if case .evidence(let evidence) = message.content { return evidence }
        }
        return nil
    }

    /// Waits until the conversation gets a matching message.
    func hears(_ isMeant: (DeviceObservation.Content) -> Bool) async -> Bool {
        for await message in service.messages where isMeant(message.content) { return true }
        return false
    }
}
