import DeviceDomain
import DeviceSimulation
import MQTTClient
import TestSupport
import Testing

@testable import Fleet

/// How devices come back.
@Suite(.timeLimit(.minutes(1))) struct ReconnectRuleTests {
    @Test func rulesAreReadAsTheyAreWritten() throws {
        #expect(try rule("fixed:1s") == .fixed(.seconds(1)))
        #expect(
            try rule("backoff:1s:60s") == .backoff(first: .seconds(1), longest: .seconds(60)))
        #expect(try rule("jitter:1s:60s") == .standard)
    }

    @Test(arguments: [
        ("", "write fixed:T"), ("fixed", "write fixed:T"), ("fixed:1s:2s", "write fixed:T"),
        ("jitter:1s", "write fixed:T"), ("never:1s", "write fixed:T"),
        ("fixed:1", "\"1\" is no time"), ("fixed:0s", "from 10ms to 24h"),
        ("jitter:1s:25h", "from 10ms to 24h"), ("backoff:2s:1s", "FIRST must not be longer"),
    ])
    func whatIsNoRuleIsToldWhatToWrite(text: String, remedy: String) throws {
        let error = #expect(throws: ReconnectRule.Unreadable.self) { try rule(text) }
        #expect(error?.description.contains(remedy) == true, "\(String(describing: error))")
    }

    @Test func theRuleOfAGroupWins() throws {
        var group = DeviceGroup(name: "sweeper")
        #expect(try policy(of: group).delays == .fixed)
        group.reconnect = .backoff(first: .seconds(2), longest: .seconds(8))
        let policy = try policy(of: group)
        #expect(policy.delays == .doubling)
        #expect(policy.initial == .seconds(2) && policy.cap == .seconds(8))
    }

    /// Two devices never draw the same, one device always does, and another one after each connection.
    @Test func jitterDerivesFromTheSeedOfTheDevice() throws {
        let group = DeviceGroup(name: "sweeper")
        let rule = ReconnectRule.standard
        let first = try policy(of: group, by: rule).delays
        #expect(try policy(of: group, by: rule).delays == first)
        #expect(try policy(of: group, by: rule, seed: 2).delays != first)
        #expect(try policy(of: group, by: rule, epoch: 1).delays != first)
    }

    /// All of them are outstanding at once, and none gives up before the last one has come: no device waits for another.
    @Test func aFleetComesBackAsAStorm() async throws {
        let count = 300
        try await withFakeBroker { broker in
            try await withFleet(
                DeviceCounts(sweepers: count), on: broker.url, reconnect: .fixed(.seconds(1))
            ) { _ in
                await broker.signalled()
            }
        } broker: { broker in
            let peers = try (0..<count).map { _ in try broker.acceptConnected() }
            for peer in peers { peer.cut() }
            // Nobody is answered until all are there.
            let attempts = try (0..<count).map { _ in try broker.accept() }
            for attempt in attempts {
                try attempt.acceptConnect()
                _ = try attempt.read(.subscribe)
            }
            broker.signal()
        }
    }

    private func rule(_ text: String) throws -> ReconnectRule {
        try ReconnectRule(text)
    }

    private func policy(
        of group: DeviceGroup, by rule: ReconnectRule = .fixed(.seconds(1)), seed: UInt64 = 1,
        epoch: Int = 0
    ) throws -> MQTTReconnectPolicy {
        let identity = DeviceIdentity(
            home: try HomeID("home-1"), device: try DeviceID("sweeper-1"),
            model: DeviceModel(rawValue: "sweeper-s1"), name: "Sweeper 1")
        let planned = PlannedDevice(identity: identity, of: group, seed: seed, homeSeed: 1)
        let settings = ShardSettings(
            brokers: FleetBrokers([try FleetBroker(url: "mqtt://127.0.0.1")]), protocolVersion: .v5,
            telemetryInterval: .seconds(5), startLimit: .seconds(5), reconnect: rule,
            clock: .system(), isReported: false, report: { _ in })
        let device = try SimulatedDevice(
            identity: identity, seed: seed, boot: BootID("b1"), telemetryInterval: .seconds(5),
            at: settings.clock.now)
        return try settings.configuration(
            of: DeviceSlot(device), planned: planned, numbered: 0, will: device.will, epoch: epoch
        ).reconnect
    }
}
