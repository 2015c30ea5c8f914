import Basics
import DeviceDomain
import DeviceSimulation
package import Fleet

/// What a scenario comes to for the devices of a run: a function of scenario, seed and devices alone, so that every
/// process of a fleet makes the same plan and takes its own part of it.
package struct ScenarioPlan: Sendable {
    /// The scenario.
    package let scenario: Scenario
    /// The devices of all processes.
    package let fleet: FleetPlan
    /// How long the run takes in world time; `nil` until it is interrupted.
    package let duration: Duration?
    /// What happens to all devices.
    package let script: FleetScript

    /// - Parameters:
    ///   - fleet: the devices of all processes.
    ///   - seed: what everything random derives from.
    ///   - duration: how long the run takes; `nil` until it is interrupted.
    package init(_ scenario: Scenario, for fleet: FleetPlan, seed: UInt64, duration: Duration?) {
        self.scenario = scenario
        self.fleet = fleet
        self.duration = duration
        let end = duration ?? scenario.duration ?? .zero
        let planning = Planning(fleet: fleet, seed: seed, end: end)
        let stages = StageSchedule(scenario.stages, for: fleet, seed: seed, upTo: end)
        var script = FleetScript(
            entries: scenario.faults.enumerated().flatMap(planning.faults) + stages.entries,
            commands: scenario.commands.enumerated().flatMap(planning.commands),
            waitsForArrivals: stages.waitsForArrivals)
        script.checkpoints = scenario.assertions.compactMap { assertion in
            assertion.metric == .invariantViolations ? min(assertion.at ?? end, end) : nil
        }.sorted()
        self.script = script
    }

    /// When an assertion is looked at (world time from the epoch); `nil` for the end of the run.
    package func time(of assertion: Scenario.Assertion) -> Duration? {
        switch assertion.metric {
        // A window of connections is over when it is over; what became of its commands shows at the end.
        case .onlineShare, .connectRate: assertion.at ?? assertion.to
        case .executionsPerCommand, .duplicateAcks, .openCommands, .commandP50, .commandP99,
            .lostSamples, .invariantViolations, .convergedShare:
            assertion.at
        }
    }

    /// The devices that an assertion is about.
    package func devices(of assertion: Scenario.Assertion) -> Set<DeviceKey> {
        guard let target = assertion.target else { return Set(fleet.devices.map(\.key)) }
        return Set(fleet.devices(inScenario: target).map(\.key))
    }
}

/// The schedules of commands and faults.
private struct Planning {
    let fleet: FleetPlan
    let seed: UInt64
    let end: Duration

    private func generator(_ device: PlannedDevice, _ purpose: String) -> SeededGenerator {
        SeededGenerator(seed: seed, identity: device.identity, purpose: "scenario/\(purpose)")
    }

    // MARK: Commands

    func commands(_ index: Int, _ command: Scenario.Command) -> [ScriptedCommand] {
        fleet.devices(inScenario: command.target).flatMap { device in
            var generator = generator(device, "command/\(index)")
            return times(of: command).compactMap { time -> ScriptedCommand? in
                let at =
                    time
                    + .milliseconds(
                        Int(generator.nextFraction() * Double(command.jitter.wholeMilliseconds)))
                let seed = generator.next()
                guard at <= end else { return nil }
                return ScriptedCommand(
                    at: at, device: device.key, name: command.name, arguments: command.arguments,
                    lane: command.lane ?? declaredLane(of: command.name, for: device), seed: seed)
            }
        }
    }

    /// When a command is meant to be sent, without its jitter.
    private func times(of command: Scenario.Command) -> [Duration] {
        guard let every = command.every else { return command.at <= end ? [command.at] : [] }
        let last = min(command.until ?? end, end)
        guard command.at <= last else { return [] }
        return (0...Int((last - command.at) / every)).map { command.at + every * $0 }
    }

    private func declaredLane(of name: CommandName, for device: PlannedDevice) -> CommandLane {
        let blueprint = try? DeviceFactory.standard.blueprint(of: device.identity.model)
        return blueprint?.commands.first { $0.name == name }?.lane ?? .normal
    }

    // MARK: Faults

    func faults(_ index: Int, _ fault: Scenario.FaultItem) -> [FleetScript.Entry] {
        fleet.devices(inScenario: fault.target, for: fault.order, .part(fault.share)).flatMap {
            device in
            times(of: fault, for: device, index).map {
                FleetScript.Entry(at: $0, device: device.key, .fault(fault.order))
            }
        }
    }

    private func times(
        of fault: Scenario.FaultItem, for device: PlannedDevice, _ index: Int
    ) -> [Duration] {
        switch fault.time {
        case .at(let time): return time <= end ? [time] : []
        case .rate(let perHour):
            // A Poisson process: the waits between faults are exponential.
            var generator = generator(device, "fault/\(index)")
            var times: [Duration] = []
            var hours = 0.0
            while true {
                hours -= (1 - generator.nextFraction()).naturalLogarithm / perHour
                let time = Duration.milliseconds(Int(min(hours, 1e6) * 3_600_000))
                guard time <= end else { return times }
                times.append(time)
            }
        }
    }
}

extension Double {
    /// The natural logarithm of a normal number above 0, by arithmetic alone: the C libraries of two machines differ in
    /// the last bit of theirs, and a schedule must not.
    var naturalLogarithm: Double {
        // x = m · 2ᵉ with m around 1, and ln m = 2 artanh((m − 1) / (m + 1)).
        let isLow = significand < 2.0.squareRoot()
        let m = isLow ? significand : significand / 2
        let power = Double(exponent) + (isLow ? 0 : 1)
        let ratio = (m - 1) / (m + 1)
        let square = ratio * ratio
        let series = stride(from: 23.0, through: 1, by: -2).reduce(0) { $0 * square + 1 / $1 }
        return power * 0x1.62e42fefa39efp-1 + 2 * ratio * series
    }
}
