import Connectivity
import DeviceDomain
import DeviceMessages
import MQTTClient
import MosquittoAdapter
import TestSupport

/// Opens a channel to a broker for one test, and takes it down again.
func withChannel<Value>(
    _ url: String, opening: Bool = true,
    _ adjust: (inout MosquittoChannelConfiguration) -> Void = { _ in },
    _ body: (MosquittoChannel) async throws -> Value
) async throws -> Value {
    var configuration = MosquittoChannelConfiguration(
        broker: try MQTTBrokerAddress(url: url), controller: try ControllerID("ctl"),
        reconnect: MQTTReconnectPolicy(initial: .milliseconds(20), cap: .milliseconds(100)))
    adjust(&configuration)
    let loop = try MQTTEventLoop(label: "channel")
    let channel = MosquittoChannel(configuration, on: loop)
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

/// The home of the tests.
let home = HomeID(rawValue: "home-1") ?? { preconditionFailure("a valid id") }()
/// A boot of every device of the tests.
let boot = BootID(rawValue: "b1") ?? { preconditionFailure("a valid id") }()

/// A device id of the tests.
func device(_ text: String) -> DeviceID {
    DeviceID(rawValue: text) ?? { preconditionFailure("a valid id") }()
}

extension MQTTPeer {
    /// Publishes what a device retains.
    func announce(_ id: String, revision: Int = 1, retain: Bool = true) async throws {
        let base = "homeport/v1/home-1/\(id)"
        try await publish(
            "\(base)/description",
            """
            {"v":1,"device":"\(id)","model":"x-1","kind":"x","name":"\(id)","firmware":"1",\
            "capabilities":[],"commands":["locate"]}
            """, retain: retain)
        try await publish(
            "\(base)/presence",
            #"{"v":1,"device":"\#(id)","status":"online","boot":"b1","at":1}"#, retain: retain)
        try await publish(
            "\(base)/state",
            #"{"v":1,"device":"\#(id)","boot":"b1","revision":\#(revision),"at":1,"by":null,"state":{"activity":"idle"}}"#,
            retain: retain)
    }

    /// Publishes an ack for a command of the tests' controller.
    func acknowledge(_ id: CommandID, of named: String, on topicDevice: String) async throws {
        try await publish(
            "homeport/v1/home-1/\(topicDevice)/ack/ctl",
            AckMessage(
                id: id, device: device(named), boot: boot, n: 1, stage: .accepted, revision: 1,
                executions: 0, at: Timestamp(milliseconds: 1)
            ).payload)
    }
}

/// A device for which a conversation is opened.
func generic(_ id: String) -> GenericDevice {
    GenericDevice(profile: .undescribed(device(id), in: home))
}

/// An id of a command.
func makeCommandID() -> CommandID {
    var generator = SystemRandomNumberGenerator()
    return CommandID(at: Timestamp(milliseconds: 1_764_000_000_000), using: &generator)
}
