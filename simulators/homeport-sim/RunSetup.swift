import Alink
import DeviceDomain
import DeviceSimulation
import Fleet
import Scenarios

/// What is run: the options of the command line, and the scenario beside them, if there is one. An option wins.
struct RunSetup {
    let command: RunCommand
    /// What the scenario comes to for the devices of all homes; `nil` for a run without one.
    let scenario: ScenarioPlan?
    /// The homes of all machines.
    let homes: FleetHomes
    /// What everything random derives from.
    let seed: UInt64
    /// Who the devices are in Alink, where they speak it.
    let triples: [AlinkTriple]?
    private let groups: [PlannedGroup]
    private let regions: Int
    private let speed: WorldSpeed?
    private let writtenEpoch: Timestamp?
    private let writtenDuration: Duration?

    /// Reads the scenario, if one is named.
    /// - Throws: `ScenarioProblems` where it is wrong, `FleetError` where an option does not go with it.
    init(_ command: RunCommand) throws {
        let scenario = try command.scenario.map { try Scenario(path: $0, at: command.world.speed) }
        self.command = command
        homes = try command.fleet.namedHomes() ?? .numbered(scenario?.homes ?? 1)
        seed = command.fleet.seed ?? scenario?.seed ?? 1
        triples = try command.dialect.readTriples()
        groups = command.fleet.groups(
            beside: scenario, standard: triples.map(AlinkFleet.counts) ?? .usual)
        regions = scenario?.regions ?? 1
        speed = command.world.speed ?? scenario?.speed
        writtenEpoch = command.world.epoch ?? scenario?.epoch
        let duration = command.duration ?? scenario?.duration
        writtenDuration = duration
        self.scenario = scenario.map { [groups, regions, homes, seed] scenario in
            ScenarioPlan(
                scenario,
                for: FleetPlan(
                    homes: homes, groups: groups, seed: seed, regions: regions,
                    wearing: command.world.wear),
                seed: seed, duration: duration)
        }
        if self.scenario != nil { try check() }
    }

    /// What the options alone cannot tell.
    private func check() throws {
        _ = try homesOfShard()
        let count = groups.reduce(0) { $0 + $1.count } * homes.count
        guard count <= 1_000_000 else {
            throw FleetError(
                .unusableOption, "that makes more than 1,000,000 devices: ask for fewer")
        }
        guard isVirtual, let option = command.optionOfBroker else { return }
        throw FleetError(
            .unusableOption,
            "the scenario runs without a broker (speed: max): leave \(option) out, or say --speed")
    }

    /// The homes of this shard.
    /// - Throws: `FleetError` where it has none.
    func homesOfShard() throws(FleetError) -> FleetHomes {
        do throws(FleetError) {
            return try homes.part(command.fleet.shard)
        } catch { throw FleetError(.unusableOption, "--shard: \(error)") }
    }

    /// The devices of these homes.
    func plan(of homes: FleetHomes) -> FleetPlan {
        FleetPlan(
            homes: homes, groups: groups, seed: seed, regions: regions,
            wearing: command.world.wear)
    }

    // MARK: The world

    /// Whether the world goes without a broker.
    var isVirtual: Bool { speed == .max }

    /// How fast the world is asked to go.
    var askedSpeed: WorldSpeed { speed ?? .times(1) }

    /// World seconds per second, where a clock tells the time.
    var factor: Double {
        switch speed {
        case .times(let factor)?: factor
        case .max?, nil: 1
        }
    }

    /// Where the world clock starts; `nil` for now.
    var epoch: Timestamp? { writtenEpoch }

    /// How long the run takes by the wall clock; `nil` until it is interrupted.
    var wallDuration: Duration? {
        // Of a scenario all times are of the world.
        scenario == nil ? writtenDuration : writtenDuration.map { $0 / factor }
    }

    /// How far a world without a broker goes.
    var worldDuration: Duration { writtenDuration ?? .zero }

    /// What happens to the devices by itself.
    var script: FleetScript { scenario?.script ?? FleetScript() }

    /// Makes the devices of a part of this run.
    /// - Parameters:
    ///   - number: that of the process.
    ///   - report: is called with what they say on an event loop; it must not block.
    /// - Throws: `FleetError`.
    func fleet(
        _ number: Int, of plan: FleetPlan, _ journal: Journal, on brokers: FleetBrokers,
        _ clock: FleetClock, report: @escaping @Sendable (FleetNotice) -> Void
    ) throws(FleetError) -> Fleet {
        let alink = try triples.map { triples throws(FleetError) in
            try AlinkFleet(triples, for: plan)
        }
        if let folder = command.dialect.models { try alink?.writeModels(into: folder) }
        return try Fleet(
            plan: plan, journal: journal, brokers: brokers, protocolVersion: command.mqttVersion,
            telemetryInterval: command.fleet.telemetryInterval,
            reconnect: command.fleet.reconnect ?? .standard, clock: clock,
            isReported: command.world.isReported, script: script,
            scenario: scenario == nil ? nil : try controllerID(number), alink: alink,
            report: report)
    }

    /// Makes a run of these homes without a broker.
    func virtualRun(
        of plan: FleetPlan, from epoch: Timestamp,
        report: @escaping @Sendable (FleetNotice) -> Void
    ) -> VirtualRun {
        VirtualRun(
            of: plan, seed: seed, telemetryInterval: command.fleet.telemetryInterval,
            epoch: epoch, duration: worldDuration, script: script, report: report)
    }
}

extension FleetOptions {
    /// The devices of each home: those of the options, whose numbers a scenario's groups of the same names have instead.
    /// - Parameter standard: the devices of a home where nobody asks for others.
    fileprivate func groups(
        beside scenario: Scenario?, standard: DeviceCounts
    ) -> [PlannedGroup] {
        guard let scenario else { return PlannedGroup.usual(kinds.counts ?? standard) }
        guard let counts = kinds.counts else { return scenario.groups }
        var groups = scenario.groups
        for asked in PlannedGroup.usual(counts) where asked.count > 0 {
            if let place = groups.firstIndex(where: { $0.group.name == asked.group.name }) {
                groups[place].count = asked.count
            } else {
                groups.append(asked)
            }
        }
        return groups
    }
}
