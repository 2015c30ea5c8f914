import Homeport
import TestSupport

/// A device that answers dry runs as PROTOCOL asks, with a clock and a boot id that the test chooses.
struct RawDevice: Sendable {
    let id: String
    let boot: String
    /// How far its clock is ahead, milliseconds.
    let offset: Int
    let peer: MQTTPeer
    private var base: String { "homeport/v1/home-1/\(id)" }

    /// Connects a device, announces it, and lets it answer while `body` runs.
    static func with<Value: Sendable>(
        _ id: String = "lamp-1", on url: String, boot: String = "b1", offset: Int = 0,
        client: String = "", announcing: Bool = true,
        _ body: (RawDevice) async throws -> Value
    ) async throws -> Value {
        try await MQTTPeer.with(url, id: "raw-\(id)\(client)") { peer in
            let device = RawDevice(id: id, boot: boot, offset: offset, peer: peer)
            try await peer.subscribe("\(device.base)/command")
            if announcing { try await device.announce() }
            async let serving: Void = device.serve()
            let value = try await body(device)
            await peer.abort()
            try await serving
            return value
        }
    }

    private var now: Int { Timestamp.wallClock.milliseconds + offset }

    /// Publishes what a device retains.
    func announce() async throws {
        for message in Self.retained(id, boot: boot, at: now) {
            try await peer.publish(message.topic, message.payload, retain: true)
        }
    }

    /// What a device retains.
    static func retained(
        _ id: String, boot: String = "b1", at time: Int = 1
    ) -> [(topic: String, payload: String)] {
        let base = "homeport/v1/home-1/\(id)"
        return [
            (
                "\(base)/description",
                #"{"v":1,"device":"\#(id)","model":"lamp-9","kind":"lamp","name":"Lamp","#
                    + #""firmware":"1","capabilities":[],"commands":[]}"#
            ),
            (
                "\(base)/state",
                #"{"v":1,"device":"\#(id)","boot":"\#(boot)","revision":1,"at":1,"by":null,"#
                    + #""state":{}}"#
            ),
            (
                "\(base)/presence",
                #"{"v":1,"device":"\#(id)","status":"online","boot":"\#(boot)","at":\#(time)}"#
            ),
        ]
    }

    /// Publishes something below its own topics.
    func publish(_ payload: String, to topic: String, retain: Bool = false) async throws {
        try await peer.publish("\(base)/\(topic)", payload, retain: retain)
    }

    private func serve() async throws {
        for await message in peer.messages where !message.payload.isEmpty {
            let command = try CommandMessage(payload: message.payload)
            guard command.dryRun, command.name == .identify else {
                throw TestSupportError("doctor sent \(command.name)")
            }
            let ack = AckMessage(
                id: command.id, device: try DeviceID(id), boot: try BootID(boot), n: 1,
                stage: .succeeded, revision: 1, executions: 0, at: Timestamp(milliseconds: now))
            try await peer.publish("\(base)/ack/\(command.controller)", ack.payload)
        }
    }
}

extension Timestamp {
    static var wallClock: Timestamp { MachineClock.wallTime }
}
