import Connectivity
import DeviceDomain
import DeviceMessages
import MQTTClient
import MosquittoAdapter
import TestSupport

/// Opens a channel to a broker for one test, and takes it down again. Its wire clock stands still at
/// ``wallClock``.
func withChannel<Value>(
    _ url: String, id: ChannelID = channelID, opening: Bool = true, clock: LoopClock = .system,
    _ adjust: (inout MosquittoChannelConfiguration) -> Void = { _ in },
    _ body: (MosquittoChannel) async throws -> Value
) async throws -> Value {
    var configuration = MosquittoChannelConfiguration(
        id: id, broker: try MQTTBrokerAddress(url: url), controller: try ControllerID("ctl"),
        reconnect: MQTTReconnectPolicy(initial: .milliseconds(1), cap: .milliseconds(20)))
    adjust(&configuration)
    let loop = try MQTTEventLoop(label: "channel", clock: clock)
    let channel = MosquittoChannel(configuration, on: loop, wallClock: { wallClock })
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

/// The fixed time of the tests' wire clock.
let wallClock = Timestamp(milliseconds: 1_764_000_000_000)
/// The channel of most tests.
let channelID = ChannelID(rawValue: "mqtt") ?? { preconditionFailure("a valid id") }()
/// The home of the tests.
let home = HomeID(rawValue: "home-1") ?? { preconditionFailure("a valid id") }()
/// A boot of every device of the tests.
let boot = BootID(rawValue: "b1") ?? { preconditionFailure("a valid id") }()

/// A device id of the tests.
func device(_ text: String) -> DeviceID {
    DeviceID(rawValue: text) ?? { preconditionFailure("a valid id") }()
}

/// A device for which a conversation is opened.
func generic(_ id: String) -> GenericDevice {
    GenericDevice(profile: .undescribed(device(id), in: home))
}

/// An id of a command.
func makeCommandID() -> CommandID {
    return CommandID(at: wallClock)
}

/// A command of the tests' controller, which may start for another 1.5 s.
func intent(
    _ id: CommandID = makeCommandID(), to deviceID: String = "a", arguments: JSONObject = [:]
) throws -> CommandIntent {
    CommandIntent(
        id: id, controller: try ControllerID("ctl"), home: home, device: device(deviceID),
        name: .locate, arguments: arguments, lane: .urgent, sort: .instant, issuedAt: wallClock,
        expiresAt: wallClock.advanced(by: .milliseconds(1_500)))
}

/// An ack of a device of the tests.
func ack(
    _ id: CommandID, of deviceID: String = "a", stage: AckStage = .accepted,
    result: JSONObject = [:]
) -> AckMessage {
    AckMessage(
        id: id, device: device(deviceID), boot: boot, n: 1, stage: stage, result: result,
        revision: 1, executions: 0, at: Timestamp(milliseconds: 1))
}

/// The retained messages of a device of the tests, by the last level of their topics.
func announcement(_ id: String, revision: Int = 1) -> [(part: String, payload: String)] {
    [
        (
            "description",
            """
            {"v":1,"device":"\(id)","model":"x-1","kind":"x","name":"\(id)","firmware":"1",\
            "capabilities":[],"commands":["locate"]}
            """
        ),
        ("presence", #"{"v":1,"device":"\#(id)","status":"online","boot":"b1","at":1}"#),
        (
            "state",
            """
            {"v":1,"device":"\(id)","boot":"b1","revision":\(revision),"at":1,"by":null,\
            "state":{"activity":"idle"}}
            """
        ),
    ]
}

extension MQTTPeer {
    /// Publishes the retained messages of a device.
    func announce(_ id: String, revision: Int = 1, retain: Bool = true) async throws {
        for (part, payload) in announcement(id, revision: revision) {
            try await publish("homeport/v1/home-1/\(id)/\(part)", payload, retain: retain)
        }
    }

    /// Publishes an ack for a command of the tests' controller.
    func acknowledge(_ id: CommandID, of named: String, on topicDevice: String) async throws {
        try await publish(
            "homeport/v1/home-1/\(topicDevice)/ack/ctl", ack(id, of: named).payload)
    }
}

extension FakeBrokerPeer {
    /// Grants every SUBSCRIBE, but not the filters that end so, until a packet of another kind comes.
    /// - Returns: that packet.
    func nextGranting(butNot suffixes: String...) throws -> FakeBrokerPacket {
        while true {
            let packet = try read()
            guard packet.kind == .subscribe else { return packet }
            try grant(packet, butNot: suffixes)
        }
    }

    /// Grants so many packets of SUBSCRIBE, but not the filters that end so.
    func acceptSubscribes(_ count: Int, butNot suffixes: String...) throws {
        for _ in 1...count {
            let packet = try read(.subscribe)
            try grant(packet, butNot: suffixes)
        }
    }

    private func grant(_ packet: FakeBrokerPacket, butNot suffixes: [String]) throws {
        let codes = try packet.filters(version).map { filter, _ in
            suffixes.contains(where: filter.hasSuffix) ? UInt8(0x87) : 1
        }
        try send(.suback(version, packet.identifier, codes: codes))
    }

    /// Publishes a message of a device.
    func say(_ id: String, _ part: String, _ payload: [UInt8]) throws {
        try send(.publish(version, topic: "homeport/v1/home-1/\(id)/\(part)", payload: payload))
    }
}
