import DeviceDomain
import DeviceMessages
import DeviceSimulation
import MQTTClient
import TestSupport
import Testing

@testable import Fleet

/// Faults of the network between a fleet and its broker, as the broker sees them.
@Suite(.timeLimit(.minutes(1)))
struct LinkFaultTests {
    private static let quick = ReconnectRule.fixed(.milliseconds(20))

    @Test func aResetPublishesTheWillAndTheDeviceComesBackWithItsBoot() async throws {
        try await withSweeper { fleet, presences in
            let boot = try await presences.next(.online).report.boot
            _ = try await fleet.inject(.reset)
            #expect(try await presences.next(.offline).report.boot == boot)
            #expect(try await presences.next(.online).report.boot == boot)
            #expect(await fleet.statuses().allSatisfy(\.faults.isEmpty), "it is over at once")
        }
    }

    /// The will is published, and the device thinks that it is connected until the end.
    @Test func aHalfOpenDeviceIsOfflineForOthersAlone() async throws {
        try await withSweeper { fleet, presences in
            _ = try await presences.next(.online)
            #expect(try await fleet.inject(.halfOpen).map(\.isOnline) == [true])
            _ = try await presences.next(.offline)
            #expect(await fleet.statuses().map(\.isOnline) == [true])
            _ = try await fleet.carryOut(.clear(.halfOpen), on: "all")
            _ = try await presences.next(.online)
        }
    }

    /// The broker ends what is silent for one and a half of its keep-alive intervals, 15 s here.
    @Test func aBlackholeEndsForTheBrokerWithItsKeepAlive() async throws {
        try await withSweeper("max_keepalive 10") { fleet, presences in
            _ = try await presences.next(.online)
            _ = try await fleet.inject(.blackhole)
            _ = try await presences.next(.offline)
            _ = try await fleet.carryOut(.clear(nil), on: "all")
            _ = try await presences.next(.online)
        }
    }

    @Test(
        arguments: [
            (.blackhole, [:]), (.slowLink, ["bytesPerSecond": 5000]), (.loss, ["percent": 25]),
            (.latency, ["delayMs": 5, "jitterMs": 2]),
        ] as [(SimulatedFault, JSONObject)])
    func theNetworkHasTheConditionsOfTheFaultForItsTime(
        _ fault: SimulatedFault, _ settings: JSONObject
    ) async throws {
        try await withSweeper { fleet, presences in
            _ = try await presences.next(.online)
            #expect(await fleet.shard.conditions == nil, "nothing was ever shaped")
            _ = try await fleet.inject(fault, settings)
            let conditions = try #require(await fleet.shard.conditions)
            switch fault {
            case .blackhole: #expect(conditions.passage == .held)
            case .slowLink: #expect(conditions.bytesPerSecond == 5000)
            case .loss: #expect(conditions.loss == 0.25)
            default:
                #expect(conditions.delay == .milliseconds(5))
                #expect(conditions.jitter == .milliseconds(2))
            }
            _ = try await fleet.inject(.reboot)
            _ = try await fleet.carryOut(.clear(fault), on: "all")
            #expect(await fleet.shard.conditions == .clear)
            _ = try await presences.next(.online)
        }
    }

    /// More often than a device bears a client that it knows nothing of, and without a word of complaint.
    @Test func anInjectedTakeoverIsFoughtToItsEnd() async throws {
        var notices: [String] = []
        try await withBroker { broker in
            let running = try await withPresences(on: broker) { presences in
                try await withFleet(
                    DeviceCounts(sweepers: 1), on: broker.url, reconnect: Self.quick
                ) { running in
                    try await running.notice(beginning: "ready")
                    _ = try await presences.next(.online)
                    let injected = try await running.fleet.inject(.takeover)
                    #expect(injected.map(\.faults.count) == [1])
                    // The session goes on, so that mosquitto publishes no will.
                    for _ in 0..<12 { _ = try await presences.next(.online) }
                    #expect(await running.fleet.snapshot().tally.reconnects >= 12)
                    _ = try await running.fleet.carryOut(.clear(.takeover), on: "all")
                    #expect(await running.fleet.snapshot().abandonedDevices == 0)
                    await running.fleet.shard.untilConnected()
                    return running
                }
            }
            for await notice in running.notices { notices.append("\(notice)") }
        }
        #expect(!notices.contains { $0.contains("another client") }, "\(notices)")
        #expect(!notices.contains { $0.contains("gives up") }, "\(notices)")
    }

    /// A device that its broker tells who has its id waits for the end of the fault, and then comes back.
    @Test func aDeviceThatWasToldOfATakeoverComesBackAtItsEnd() async throws {
        try await withFakeBroker { broker in
            try await withFleet(
                DeviceCounts(sweepers: 1), on: broker.url, reconnect: Self.quick
            ) { running in
                try await running.notice(beginning: "ready")
                _ = try await running.fleet.inject(.takeover)
                await broker.signalled()
                _ = try await running.fleet.carryOut(.clear(.takeover), on: "all")
                await broker.signalled()
                #expect(await running.fleet.snapshot().abandonedDevices == 0)
            }
        } broker: { broker in
            let device = try broker.acceptConnected()
            detachThread { device.answerToEnd() }
            let other = try broker.accept()
            let connect = try other.readConnect()
            guard connect.clientID == "homeport-home-1-sweeper-1", !connect.hasWill else {
                throw TestSupportError("that is another client")
            }
            try other.send(.connack(.v5, sessionPresent: true))
            try device.send(.disconnect(0x8E))
            device.cut()
            broker.signal()
            _ = other.readToEnd()
            let back = try broker.acceptConnected()
            broker.signal()
            back.answerToEnd()
        }
    }

    /// Samples of a time without a connection, as another client gets them.
    @Test func aGroupThatKeepsItsSamplesSendsThemLate() async throws {
        try await withBroker { broker in
            try await MQTTPeer.with(broker.url, id: "peer") { peer in
                try await peer.subscribe("homeport/v1/home-1/sweeper-1/telemetry")
                var group = DeviceGroup(name: "sweeper")
                group.buffersOffline = true
                try await withShard(of: group, on: broker.url) { shard in
                    var samples = peer.messages.makeAsyncIterator()
                    var last = try await samples.number()
                    _ = try await shard.carryOut(.inject(try Fault(.offline), lasting: .seconds(1)))
                    // Without a gap, also over the second without a connection.
                    for _ in 0..<20 {
                        let next = try await samples.number()
                        #expect(next == last + 1)
                        last = next
                    }
                }
            }
        }
    }

    // MARK: Support

    private func withSweeper(
        _ lines: String..., body: (Fleet, Presences) async throws -> Void
    ) async throws {
        try await withBroker(lines.joined(separator: "\n")) { broker in
            try await withPresences(on: broker) { presences in
                try await withFleet(
                    DeviceCounts(sweepers: 1), on: broker.url, reconnect: Self.quick
                ) { running in
                    try await running.notice(beginning: "ready")
                    try await body(running.fleet, presences)
                }
            }
        }
    }

    private func withPresences<Value>(
        on broker: MosquittoBroker, _ body: (Presences) async throws -> Value
    ) async throws -> Value {
        try await MQTTPeer.with(broker.url, id: "peer") { peer in
            try await peer.subscribe("homeport/v1/home-1/sweeper-1/presence")
            return try await body(Presences(messages: peer.messages))
        }
    }

    /// Runs a shard with one device of a group, which samples ten times in a second.
    private func withShard(
        of group: DeviceGroup, on url: String, _ body: (FleetShard) async throws -> Void
    ) async throws {
        let identity = DeviceIdentity(
            home: try HomeID("home-1"), device: try DeviceID("sweeper-1"),
            model: DeviceModel(rawValue: "sweeper-s1"), name: "Sweeper 1")
        let folder = try TemporaryFolder()
        let directory = try JournalDirectory(path: folder.path)
        defer { directory.release() }
        let loop = try MQTTEventLoop(label: "shard")
        let shard = try FleetShard(
            plan: [PlannedDevice(identity: identity, of: group, seed: 1, homeSeed: 1)],
            journal: Journal(in: directory, homes: FleetHomes.numbered(1).ids),
            settings: ShardSettings(
                brokers: FleetBrokers([try FleetBroker(url: url)]), protocolVersion: .v5,
                telemetryInterval: .milliseconds(100), startLimit: .seconds(20),
                reconnect: Self.quick, clock: .system(), isReported: false, report: { _ in }),
            eventLoop: loop)
        async let run: Void = shard.run()
        try await body(shard)
        await shard.end()
        try await run
        await loop.shutdown()
        withExtendedLifetime(folder) {}
    }
}

/// The presences of a device, as its broker passes them on.
private struct Presences {
    let messages: AsyncStream<MQTTMessage>

    /// The next one of that status.
    func next(_ status: PresenceReport.Status) async throws -> PresenceMessage {
        for await message in messages {
            let presence = try PresenceMessage(payload: message.payload)
            if presence.report.status == status { return presence }
        }
        throw TestSupportError("the messages ended")
    }
}

extension Fleet {
    /// Lets a fault happen to all devices until it is cleared.
    fileprivate func inject(
        _ name: SimulatedFault, _ settings: JSONObject = [:]
    ) async throws -> [FleetDeviceStatus] {
        try await carryOut(.inject(try Fault(name, setting: settings), lasting: nil), on: "all")
    }
}

extension FleetShard {
    /// What the network of the first device does; `nil` where it was never shaped.
    fileprivate var conditions: LinkConditions? { connections.slots[0].link?.conditions }

    fileprivate func carryOut(_ order: FaultOrder) throws(FaultRefusal) -> [FleetDeviceStatus] {
        try carryOut(order, on: "all")
    }

    /// Waits until the first device has a connection.
    fileprivate func untilConnected() async {
        while connections[0].link != .online { await Task.yield() }
    }
}

extension AsyncStream<MQTTMessage>.Iterator {
    /// The number of the next sample.
    fileprivate mutating func number() async throws -> Int {
        guard let message = await next(isolation: #isolation) else {
            throw TestSupportError("the messages ended")
        }
        return try TelemetryMessage(payload: message.payload).n
    }
}
