import Connectivity
import DeviceDomain
import TestSupport
import Testing

@testable import ZigbeeAdapter

/// No message from a broker crashes the program, and stored data stays within its limits.
@Suite struct HostilePayloadTests {
    private static let topics = [
        "bridge/state", "bridge/info", "bridge/devices", "bridge/event", "bridge/logging",
        "bridge/response/permit_join", "kitchen/lamp", "kitchen/lamp/availability", "plug", "blind",
        "remote", "nobody", "", "/", "bridge/", "/availability",
    ]

    private static let payloads = [
        SampleDevice.list([.lamp, .plug, .blind, .remote, .thermometer]),
        #"{"state":"online"}"#, #"{"state":"ON","brightness":100,"color":{"x":0.1,"y":0.2}}"#,
        #"{"action":"single","battery":50}"#,
        #"{"version":"2.12.1","coordinator":{"type":"x"},"permit_join":true,"permit_join_end":1}"#,
        #"{"type":"device_joined","data":{"friendly_name":"x"}}"#,
        #"{"level":"error","message":"z2m: Publish 'set' 'state' to 'plug' failed: 'Error'"}"#,
        #"{"status":"ok","data":{"time":1},"transaction":"x"}"#,
    ]

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func spoiledPayloadsDoNoHarm(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var model = BridgeModel(bridge: device("attic"), home: home)
        var outstanding = OutstandingCommands(ReadBackTiming())
        for _ in 0..<150 {
            let topic = try #require(Self.topics.randomElement(using: &generator))
            let valid = try #require(Self.payloads.randomElement(using: &generator))
            var payload = Array(valid.utf8)
            switch Int.random(in: 0...3, using: &generator) {
            case 0:
                payload = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
            case 1: break
            default: payload = generator.spoiled(payload)
            }
            let update = model.receive(
                BridgeTopic(topic), payload, isReplay: Bool.random(using: &generator))
            // Every observation is of a listed device or of the bridge.
            for item in update where item.content != .removed {
                #expect(item.device == model.bridge || model.devices[item.device] != nil)
            }
            for known in model.devices.values { try send(known, &outstanding, &generator) }
            _ = BridgeLogError(payload).map { outstanding.received($0) }
            _ = BridgeResponse(payload).map { outstanding.received($0) }
            if let state = model.reported {
                _ = outstanding.received(state.members, of: state.device)
            }
        }
        #expect(model.snapshot(of: .everyDevice).allSatisfy { $0.content != .removed })
    }

    /// Sends one of the commands that a device claims to have, with arguments that it may not take.
    private func send(
        _ known: ZigbeeDevice, _ outstanding: inout OutstandingCommands,
        _ generator: inout SeededGenerator
    ) throws {
        guard let command = known.listing.commands.all.randomElement(using: &generator) else {
            return
        }
        let id = makeCommandID()
        outstanding.begin(
            command, id, arguments: ["value": nil, "brightness": "x"], device: known.listing.id,
            name: known.listing.name)
        for _ in 0..<3 { _ = outstanding.waited(id) }
    }

    @Test func aVeryLongListIsRead() throws {
        var devices: [SampleDevice] = []
        for number in 0..<400 {
            var device = SampleDevice.lamp
            device.address = "0x" + String(0x10_0000_0000_0000 + number, radix: 16)
            device.name = "lamp \(number)"
            devices.append(device)
        }
        let payload = Array(SampleDevice.list(devices).utf8)
        #expect(payload.count > 400_000)
        var model = BridgeModel(bridge: device("attic"), home: home)
        _ = model.receive(.devices, payload, isReplay: true)
        #expect(model.devices.count == 400)
    }
}
