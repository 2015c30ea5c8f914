import DeviceDomain
import DeviceMessages
import DeviceSimulation
import TestSupport
import Testing

@testable import Fleet

/// Faults in a running fleet.
@Suite(.timeLimit(.minutes(1)))
struct FleetFaultTests {
    private static let counts = DeviceCounts(sweepers: 2, pools: 1, stores: 1)
    private static let presence = "homeport/v1/home-1/sweeper-1/presence"

    @Test func aFaultReachesTheDevicesThatAreMeantAndNoOthers() async throws {
        try await withReadyFleet { fleet in
            let hit = try await fleet.inject(.stuck, on: "sweepers")
            #expect(hit.map { "\($0.key)" } == ["home-1/sweeper-1", "home-1/sweeper-2"])
            #expect(hit.allSatisfy { $0.activity == "error" && $0.isOnline })
            #expect(await fleet.statuses().map(\.faults.count) == [1, 1, 0, 0])
            _ = try await fleet.carryOut(.clear(.stuck), on: "sweeper-2")
            #expect(await fleet.statuses().map(\.faults.count) == [1, 0, 0, 0])
        }
    }

    @Test func aFaultThatOneDeviceCannotHaveReachesNone() async throws {
        try await withReadyFleet { fleet in
            await #expect(throws: FaultRefusal.self) { try await fleet.inject(.stuck, on: "all") }
            #expect(await fleet.statuses().allSatisfy(\.faults.isEmpty))
        }
    }

    @Test func aShareOfTheDevicesIsHitAndSetFreeAgain() async throws {
        try await withReadyFleet { fleet in
            let mute = FaultOrder.inject(try Fault(.mute), lasting: nil)
            let hit = try await fleet.carryOut(mute, on: "all", share: 0.5)
            #expect(hit.count == 2)
            #expect(await fleet.statuses().map(\.faults.count).reduce(0, +) == 2)
            let free = try await fleet.carryOut(.clear(.mute), on: "all", share: 0.5)
            #expect(free.map(\.key) == hit.map(\.key), "the same devices")
            #expect(await fleet.statuses().allSatisfy(\.faults.isEmpty))
            #expect(try await fleet.carryOut(mute, on: "sweeping-robot", share: 1).count == 2)
            await #expect(throws: FaultRefusal.self) {
                try await fleet.carryOut(mute, on: "all", share: 0)
            }
        }
    }

    @Test func faultsOfMessagesAreCountedByTheirNames() async throws {
        try await withReadyFleet { fleet in
            for fault in [SimulatedFault.dropAcks, .truncate, .clockDrift, .sensorNoise] {
                _ = try await fleet.inject(fault, on: "stores")
            }
            let faults = await fleet.snapshot().faults
            #expect(
                faults == ["drop-acks": 1, "truncate": 1, "clock-drift": 1, "sensor-noise": 1])
        }
    }

    @Test func truncatedPayloadsReachTheBroker() async throws {
        let connections = Connections()
        try await withFakeBroker { broker in
            try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) { running in
                try await running.notice(beginning: "ready")
                let spoiled = FaultOrder.inject(
                    try Fault(.truncate, setting: ["percent": 100]), lasting: nil)
                _ = try await running.fleet.carryOut(spoiled, on: "sweeper-1")
                _ = try await running.fleet.inject(.offline, on: "sweeper-1")
                let published = await connections.first.all().filter {
                    $0.kind == .publish && $0.topic.hasSuffix("/presence")
                }
                #expect(published.count == 2, "the device announces itself once more")
                #expect(published.map { $0.presence == nil } == [false, true])
                _ = try await running.fleet.carryOut(.clear(nil), on: "sweeper-1")
                #expect(await connections.second.presence()?.report.status == .online)
            }
        } broker: {
            try connections.serve($0)
        }
    }

    @Test func aDeadRobotSaysNoGoodbyeAndComesBackWithANewBoot() async throws {
        let connections = Connections()
        try await withFakeBroker { broker in
            try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) { running in
                try await running.notice(beginning: "ready")
                let dead = try await running.fleet.inject(.batteryDead, on: "sweeper-1")
                #expect(dead.map(\.isOnline) == [false])
                let packets = await connections.first.all()
                #expect(!packets.contains { $0.kind == .disconnect })
                let again = try await running.fleet.inject(.reboot, on: "sweeper-1")
                #expect(again.map(\.isOnline) == [false], "it is off")
                _ = try await running.fleet.carryOut(.clear(nil), on: "sweeper-1")
                let back = await connections.second.presence()
                #expect(back?.report.status == .online)
                #expect(back?.report.boot != packets.presences.first?.report.boot)
            }
        } broker: {
            try connections.serve($0)
        }
    }

    @Test func aRebootLoopConnectsAgainWithItsNextBoot() async throws {
        let connections = Connections()
        try await withFakeBroker { broker in
            try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) { running in
                try await running.notice(beginning: "ready")
                let loop = try await running.fleet.inject(.rebootLoop, on: "sweeper-1")
                #expect(loop.first?.faults.map(\.fault.name) == [.rebootLoop])
                let before = await connections.first.all().presences
                let back = await connections.second.presence()
                #expect(back?.report.boot != before.first?.report.boot)
                #expect(before.map(\.report.status) == [.online], "no goodbye")
            }
        } broker: {
            try connections.serve($0)
        }
    }

    @Test func theFleetEndsInOrderWhileDevicesAreOffline() async throws {
        try await withReadyFleet { fleet in
            let hit = try await fleet.inject(.offline, on: "all")
            #expect(hit.allSatisfy { !$0.isOnline })
            #expect(await fleet.snapshot().connectedDevices == 0)
        }
    }

    @Test func aRebootOfADeviceThatIsOfflineDoesNotConnectIt() async throws {
        try await withReadyFleet { fleet in
            _ = try await fleet.inject(.offline, on: "pool-1")
            let again = try await fleet.inject(.reboot, on: "pool-1")
            #expect(again.map(\.isOnline) == [false])
            #expect(again.first?.faults.map(\.fault.name) == [.offline])
        }
    }

    @Test func anOfflineDeviceSaysNoGoodbyeAndComesBackWithItsBoot() async throws {
        let connections = Connections()
        try await withFakeBroker { broker in
            try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) { running in
                try await running.notice(beginning: "ready")
                _ = try await running.fleet.inject(.offline, on: "sweeper-1")
                let packets = await connections.first.all()
                #expect(!packets.contains { $0.kind == .disconnect })
                let here = packets.presences
                #expect(here.map(\.report.status) == [.online])
                _ = try await running.fleet.carryOut(.clear(nil), on: "sweeper-1")
                let back = await connections.second.presence()
                #expect(back?.report.boot == here.first?.report.boot)
            }
        } broker: {
            try connections.serve($0)
        }
    }

    @Test func aRebootIsANewBootAndNoOtherClient() async throws {
        let connections = Connections()
        var notices: [String] = []
        try await withFakeBroker { broker in
            let running = try await withFleet(DeviceCounts(sweepers: 1), on: broker.url) {
                running in
                try await running.notice(beginning: "ready")
                _ = try await running.fleet.inject(.stuck, on: "sweeper-1")
                let after = try await running.fleet.inject(.reboot, on: "sweeper-1")
                #expect(after.first?.faults.map(\.fault.name) == [.stuck])
                let before = await connections.first.all().presences
                let back = await connections.second.presence()
                #expect(back?.report.status == .online)
                #expect(back?.report.boot != before.first?.report.boot)
                #expect(before.map(\.report.status) == [.online], "no goodbye")
                return running
            }
            for await notice in running.notices { notices.append("\(notice)") }
        } broker: {
            try connections.serve($0) { presence in
                // What the broker retains is of the boot before.
                .publish(.v5, topic: Self.presence, payload: presence.payload, retain: true)
            }
        }
        #expect(!notices.contains { $0.contains("another client") }, "\(notices)")
    }

    private func withReadyFleet(_ body: (Fleet) async throws -> Void) async throws {
        try await withBroker { broker in
            try await withFleet(Self.counts, on: broker.url) { running in
                try await running.notice(beginning: "ready 4 devices")
                try await body(running.fleet)
            }
        }
    }
}

extension Fleet {
    fileprivate func inject(
        _ name: SimulatedFault, on target: String
    ) async throws -> [FleetDeviceStatus] {
        try await carryOut(.inject(try Fault(name), lasting: nil), on: target)
    }
}

/// The packets of a device's first two connections.
private struct Connections {
    let first = PacketStream()
    let second = PacketStream()

    /// Answers one connection after the other.
    /// - Parameter greeting: what the second one hears first, made of the first one's presence.
    func serve(
        _ broker: FakeBroker, greeting: (PresenceMessage) -> FakeBrokerPacket? = { _ in nil }
    ) throws {
        var presence: PresenceMessage?
        let peer = try broker.acceptConnected()
        peer.answerToEnd {
            first.sink.yield($0)
            presence = presence ?? $0.presence
        }
        first.sink.finish()
        let next = try broker.acceptConnected()
        if let packet = presence.flatMap(greeting) { try next.send(packet) }
        next.answerToEnd { second.sink.yield($0) }
        second.sink.finish()
    }
}

private struct PacketStream {
    let packets: AsyncStream<FakeBrokerPacket>
    let sink: AsyncStream<FakeBrokerPacket>.Continuation

    init() {
        (packets, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(10_000))
    }

    /// All of them, once the connection has ended.
    func all() async -> [FakeBrokerPacket] {
        await packets.reduce(into: []) { $0.append($1) }
    }

    /// The next presence.
    func presence() async -> PresenceMessage? {
        for await packet in packets { if let presence = packet.presence { return presence } }
        return nil
    }
}

extension FakeBrokerPacket {
    /// The presence that it publishes, if it does.
    fileprivate var presence: PresenceMessage? {
        guard kind == .publish, topic.hasSuffix("/presence") == true,
            let start = body.firstIndex(of: UInt8(ascii: "{"))
        else { return nil }
        return try? PresenceMessage(payload: Array(body[start...]))
    }
}

extension [FakeBrokerPacket] {
    fileprivate var presences: [PresenceMessage] { compactMap(\.presence) }
}
