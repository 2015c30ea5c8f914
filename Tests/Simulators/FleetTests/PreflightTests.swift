import DeviceDomain
import DeviceSimulation
import MQTTClient
import Testing

@testable import Fleet

/// The limits that a fleet would hit.
@Suite struct PreflightTests {
    private func load(
        _ devices: Int, most: Int? = nil, homes: Int = 1000, brokers: [Int]? = nil,
        sources: Int = 0,
        isPrivate: Bool = false, usesTLS: Bool = false
    ) -> Preflight.Load {
        Preflight.Load(
            devices: devices, mostInOneProcess: most ?? devices, homes: homes, files: 0,
            devicesOfBrokers: brokers ?? [devices], hasPrivateBroker: isPrivate, sources: sources,
            usesTLS: usesTLS)
    }

    private func finding(
        _ load: Preflight.Load, descriptors: Int = 1_000_000, ports: Int = 28_232,
        memory: Int? = nil
    ) -> String? {
        let limits = Preflight.Limits(descriptors: descriptors, ports: ports, memory: memory)
        do throws(FleetError) {
            try Preflight.check(load, within: limits)
            return nil
        } catch {
            #expect(error.code == .tooManyDevices)
            return error.message
        }
    }

    @Test func aFleetThatFitsIsLetThrough() {
        #expect(finding(load(19_936), descriptors: 20_000, memory: 1_000_000_000) == nil)
    }

    @Test func filesOfAProcessAreNamedWithTheNumberOfProcesses() throws {
        let text = try #require(
            finding(load(50_000, brokers: [25_000, 25_000]), descriptors: 20_000))
        #expect(text.contains("50000 devices need 50064 open files, this process may have 20000"))
        #expect(text.contains("use --processes 3 or more"))
        #expect(
            finding(load(50_000, most: 16_700, brokers: [25_000, 25_000]), descriptors: 20_000)
                == nil)
        let one = try #require(finding(load(21_000, homes: 1), descriptors: 20_000))
        #expect(one.contains("run fewer devices, or raise the hard limit"))
    }

    @Test func filesOfThePrivateBrokerAreNamedWithTheNumberOfBrokers() throws {
        let text = try #require(
            finding(load(25_000, most: 5000, isPrivate: true), descriptors: 20_000))
        #expect(text.contains("the private broker needs 25064 open files"))
        #expect(text.contains("start 2 brokers and name each with --broker"))
        #expect(finding(load(25_000, most: 5000), descriptors: 20_000) == nil)
    }

    @Test func filesOfLinkFaultsAreReserved() throws {
        var load = load(12_000)
        #expect(finding(load, descriptors: 20_000) == nil)
        load.filesOfLinkFaults = 12_000
        let text = try #require(finding(load, descriptors: 20_000))
        #expect(text.contains("12000 devices with faults of their network need 24064 open files"))
        #expect(text.contains("use --processes 2 or more"))
        load.filesOfLinkFaults = 0
        load.hasPrivateBroker = true
        load.intruders = 8000
        #expect(
            finding(load, descriptors: 20_000)?.contains("the private broker needs 20064") == true)
    }

    /// A changed network takes two files for its device however many faults it has, and another client one.
    @Test func linkFaultsAreCountedOncePerDevice() throws {
        let home = try HomeID("home-1")
        let keys = try (1...4).map { DeviceKey(home: home, device: try DeviceID("pool-\($0)")) }
        func entry(_ device: Int, _ fault: SimulatedFault) throws -> FleetScript.Entry {
            FleetScript.Entry(
                at: .seconds(1), device: keys[device],
                .fault(.inject(try Fault(fault), lasting: .seconds(1))))
        }
        let script = FleetScript(entries: [
            try entry(0, .loss), try entry(0, .loss), try entry(0, .latency),
            try entry(0, .takeover), try entry(1, .takeover), try entry(2, .reset),
            try entry(3, .slow),
        ])
        let count = script.linkFaults(in: [home])
        #expect(count.shaped == 1 && count.takenOver == 2 && count.files == 4)
        #expect(script.linkFaults(in: [try HomeID("home-2")]) == LinkFaultCount())
    }

    @Test func portsAreNamedWithTheNumberOfSources() throws {
        let text = try #require(finding(load(60_000)))
        #expect(text.contains("60000 connections from one address"))
        #expect(text.contains("the system has 28232") && text.contains("use --source 3 or more"))
        #expect(finding(load(60_000, sources: 3)) == nil)
        #expect(finding(load(60_000, sources: 2))?.contains("30000 connections") == true)
        #expect(finding(load(60_000, brokers: [20_000, 20_000, 20_000])) == nil)
        // Bound to one address, ports are shared by all brokers.
        #expect(finding(load(60_000, brokers: [20_000, 20_000, 20_000], sources: 1)) != nil)
    }

    @Test func memoryIsNamedWithWhatFits() throws {
        let text = try #require(finding(load(10_000), memory: 100_000_000))
        #expect(text.contains("10000 devices take about 140 MB of memory, 100 MB are free"))
        #expect(text.contains("run 7142 or fewer on this machine"))
        #expect(finding(load(7142), memory: 100_000_000) == nil)
        #expect(finding(load(7142, usesTLS: true), memory: 100_000_000) != nil)
    }

    @Test func allLimitsAreNamedAtOnce() throws {
        let text = try #require(
            finding(load(90_000, isPrivate: true), descriptors: 1024, memory: 1))
        #expect(text.split(separator: "; ").count == 4, "\(text)")
    }

    @Test func theLimitsOfThisMachineAreRead() {
        let limits = Preflight.Limits.raised()
        #expect(limits.descriptors > 64 && limits.ports > 1000)
        #expect(limits.memory ?? 0 > 1_000_000)
    }
}

/// Which broker and source address a home's devices use.
@Suite struct FleetBrokersTests {
    private func brokers(_ count: Int, sources: [String] = []) throws -> FleetBrokers {
        FleetBrokers(
            try (1...count).map { try FleetBroker(url: "mqtt://127.0.0.\($0)") }, sources: sources)
    }

    @Test func homesTakeTheBrokersInTurnByTheirNumbers() throws {
        let brokers = try brokers(3)
        let homes = FleetHomes.numbered(7)
        #expect(homes.ids.map(brokers.place) == [0, 1, 2, 0, 1, 2, 0])
        // A shard and a process find the same: the number is that of the home, not of its place.
        let part = try homes.part(FleetPart(2, of: 3))
        #expect(part.ids.map(brokers.place) == [1, 1])
        #expect(brokers.place(of: try HomeID("villa")) == 0)
        let plan = FleetPlan(homes: homes, counts: .usual, seed: 1)
        #expect(brokers.counts(of: plan) == [21, 14, 14])
        #expect("\(brokers[try HomeID("home-2")])".contains("127.0.0.2"))
    }

    @Test func connectionsTakeTheSourcesInTurn() throws {
        let brokers = try brokers(1, sources: ["127.0.1.1", "127.0.1.2"])
        #expect((0..<3).map(brokers.source) == ["127.0.1.1", "127.0.1.2", "127.0.1.1"])
        #expect(try self.brokers(1).source(of: 5) == nil)
    }

    @Test func aWrongTripleIsToldWhereItStands() throws {
        let refused = MQTTError(
            .connectionRefused, "refused", reasonCode: .badUserNameOrPassword)
        let brokers = try brokers(1)
        let triples = BrokerReport(of: brokers, serving: [], speaking: .v311, usingTriples: true)
        #expect(triples.explained(refused).contains("plugin_opt_triples"))
        #expect(!triples.explained(refused).contains("--credentials-file"))
        let others = BrokerReport(of: brokers, serving: [], speaking: .v311)
        #expect(others.explained(refused).contains("--credentials-file"))
    }

    @Test func aBrokerThatAcceptsNobodyIsNamedAmongSeveral() throws {
        let brokers = try brokers(2)
        let (one, two) = (try HomeID("home-1"), try HomeID("home-2"))
        var report = BrokerReport(of: brokers, serving: [one, two], speaking: .v5)
        report.accepted(one, nil)
        #expect(report.isMissingOne)
        let error = report.unreachable(within: .seconds(5))
        #expect(error.message.contains("cannot reach mqtt://127.0.0.2"), "\(error.message)")
        report.accepted(two, nil)
        #expect(!report.isMissingOne)
        #expect(!BrokerReport(of: brokers, serving: [], speaking: .v5).isMissingOne)
    }
}
