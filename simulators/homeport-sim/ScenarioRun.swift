import Basics
import DeviceDomain
import DeviceSimulation
import Fleet
import LocalServices
import MQTTClient
import Scenarios
import ServiceLifecycle
import TerminalOutput

/// Carries out a scenario beside its fleet, and ends with it: the first process of the fleet judges what all measured.
struct ScenarioRun: Service {
    let plan: ScenarioPlan
    /// What this process does.
    let part: ScenarioPart
    /// The other processes.
    let workers: [Worker]
    let clock: FleetClock
    /// What became of the assertions.
    let outcomes = ScenarioOutcomes()

    /// Ends with the scenario, or with a graceful shutdown, after which nothing new is sent.
    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await part.run() }
            await judge()
            group.cancelAll()
        }
        await part.finish()
    }

    // MARK: Assertions

    private func judge() async {
        let assertions = plan.scenario.assertions
        let timed = assertions.indices.compactMap { index in
            plan.time(of: assertions[index]).map { (index: index, time: $0) }
        }.sorted { ($0.time, $0.index) < ($1.time, $1.index) }
        for (index, time) in timed where await reach(time) { await judge(index) }
        _ = await reach(plan.duration)
        for index in assertions.indices where !outcomes.isKnown(index) {
            let isReached = plan.time(of: assertions[index]) == nil
            if isReached {
                await judge(index)
            } else {
                note(nil, index)
            }
        }
    }

    /// Waits for a time of the world.
    /// - Parameter time: `nil` for the end of the run.
    /// - Returns: whether it came before the run ends.
    private func reach(_ time: Duration?) async -> Bool {
        do {
            return try await cancelWhenGracefulShutdown {
                while true {
                    let now = clock.now
                    let rest = time.map { $0 - now.world.since(clock.epoch) } ?? .seconds(3600)
                    if rest <= .zero { return true }
                    // A world that was paused goes on later than this moment tells.
                    let wait = now.pace > 0 ? rest / now.pace : Self.longestWait
                    try await Task.sleep(for: min(wait, Self.longestWait))
                }
            }
        } catch {
            return false
        }
    }

    /// How long it is waited at most until the clock is looked at again.
    private static let longestWait = Duration.milliseconds(200)

    private func judge(_ index: Int) async {
        var measured = await part.measure(index)
        do {
            for line in try await workers.ask(.measure(index)) {
                measured.add(Measurement(line.all))
            }
        } catch {
            // The end of that process ends the run, and says why.
            return note(nil, index)
        }
        note(measured, index)
    }

    private func note(_ measured: Measurement?, _ index: Int) {
        let outcome = plan.scenario.assertions[index].outcome(
            of: measured, in: FailureContext(plan, from: clock.epoch))
        outcomes.note(outcome, of: index)
        if !outcome.passed { Console.simulator.note(outcome.failure) }
    }
}

/// What became of the assertions of a run so far.
final class ScenarioOutcomes: Sendable {
    private let known = Guarded<[Int: AssertionOutcome]>([:])

    /// Notes what became of one, by its number in the scenario.
    func note(_ outcome: AssertionOutcome, of index: Int) {
        known.withLock { $0[index] = outcome }
    }

    /// Whether it was judged.
    func isKnown(_ index: Int) -> Bool { known.withLock { $0[index] != nil } }

    /// All of them, in the order of the scenario.
    var all: [AssertionOutcome] {
        known.withLock { known in known.sorted { $0.key < $1.key }.map(\.value) }
    }
}

extension AssertionOutcome {
    /// The line of one that does not hold.
    var failure: String { "assertion \(name) does not hold: \(text)" }
}

extension RunSetup {
    /// What one process of a fleet does for the scenario; `nil` for a run without one.
    /// - Parameters:
    ///   - number: that of the process.
    ///   - own: its devices.
    ///   - user: as whom its controllers connect; `nil` as the devices do.
    /// - Throws: `FleetError`.
    func scenarioPart(
        _ number: Int, of own: FleetPlan, in fleet: Fleet, on brokers: FleetBrokers,
        as user: BrokerCredentials?, _ clock: FleetClock
    ) throws(FleetError) -> ScenarioPart? {
        guard let scenario else { return nil }
        let keys = Set(own.devices.map(\.key))
        let hearing = scenario.scenario.assertions.filter { $0.metric == .lostSamples }
            .flatMap { scenario.devices(of: $0).intersection(keys).map(\.home) }
        let controllers = try ScenarioControllers(
            controllerID(number), on: brokers, speaking: command.mqttVersion,
            credentials: try user.map { user throws(FleetError) in try user.credentials() },
            homes: Set(scenario.script.part(of: keys).commands.map(\.device.home)),
            hearingSamplesOf: Set(hearing), of: Set(keys.map(\.home)), clock: clock)
        return ScenarioPart(
            scenario, of: own, in: fleet, sendingWith: controllers, clock: clock)
    }

    /// The name under which a process sends commands: its own, also on several machines.
    func controllerID(_ number: Int) throws(FleetError) -> ControllerID {
        let name = "scenario-\(command.fleet.shard.number)-\(number)"
        do throws(InvalidIdentifier) {
            return try ControllerID(name)
        } catch { throw FleetError(.internal, "\(error)") }
    }
}

extension BrokerCredentials {
    fileprivate func credentials() throws(FleetError) -> MQTTCredentials {
        do throws(MQTTError) {
            return try MQTTCredentials(username: username, password: password)
        } catch { throw FleetError(.internal, error.message) }
    }
}
