import Basics
import DeviceDomain
import DeviceSimulation
import Fleet

/// When which device comes and goes: a function of stages, seed and devices alone.
///
/// Devices come in an order that the seed chooses; whoever left first comes back first. Where all are to come within a
/// time and nobody is away yet, the next device that leaves comes back at once.
struct StageSchedule {
    /// Whether devices stay away until they are to come: where a stage says how devices come.
    let waitsForArrivals: Bool
    /// What happens, in the order of time.
    private(set) var entries: [FleetScript.Entry] = []

    private var away: Line
    private var there: Line
    /// How many are to come back as soon as they have left.
    private var owed = 0

    /// Devices in the order in which they are next.
    private struct Line {
        private var devices: [DeviceKey]
        private var first = 0

        init(_ devices: [DeviceKey]) { self.devices = devices }

        var count: Int { devices.count - first }

        mutating func append(_ device: DeviceKey) { devices.append(device) }

        mutating func take() -> DeviceKey? {
            guard first < devices.count else { return nil }
            first += 1
            return devices[first - 1]
        }
    }

    /// A moment of a flow.
    private struct Step {
        let at: Duration
        let isArrival: Bool
        /// Whether somebody is to follow it later, where nobody can now.
        let waits: Bool
    }

    init(_ stages: [Scenario.Stage], for fleet: FleetPlan, seed: UInt64, upTo end: Duration) {
        let order = fleet.devices.map { device in
            var generator = SeededGenerator(
                seed: seed, identity: device.identity, purpose: "scenario/arrival")
            return (draw: generator.next(), key: device.key)
        }.sorted { ($0.draw, $0.key) < ($1.draw, $1.key) }.map(\.key)
        waitsForArrivals = stages.contains { $0.connect != nil }
        away = Line(waitsForArrivals ? order : [])
        there = Line(waitsForArrivals ? [] : order)
        var start = Duration.zero
        for stage in stages {
            for step in steps(of: stage, from: start) where step.at <= end { follow(step) }
            owed = 0
            start += stage.duration
        }
    }

    /// The moments of a stage; where two are at one time, somebody leaves before somebody comes.
    private func steps(of stage: Scenario.Stage, from start: Duration) -> [Step] {
        let leaving = times(stage.disconnect, of: there.count, in: stage.duration)
        let coming = times(
            stage.connect, of: away.count + leaving.count, in: stage.duration)
        let steps =
            leaving.map { Step(at: start + $0, isArrival: false, waits: false) }
            + coming.map {
                Step(at: start + $0, isArrival: true, waits: stage.connect?.isWithin ?? false)
            }
        return steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    private func times(
        _ flow: Scenario.Stage.Flow?, of count: Int, in duration: Duration
    ) -> [Duration] {
        switch flow {
        case nil: return []
        case .perSecond(let rate)?:
            let steps = Int((duration.seconds * rate).rounded(.up))
            return (0..<max(steps, 0)).map { .milliseconds(Int(Double($0) / rate * 1000)) }
        case .within(let time)?:
            return (0..<count).map {
                .milliseconds(time.wholeMilliseconds * $0 / max(count, 1))
            }
        }
    }

    private mutating func follow(_ step: Step) {
        if !step.isArrival {
            depart(at: step.at)
        } else if !arrive(at: step.at), step.waits {
            owed += 1
        }
    }

    /// - Returns: whether there is a device that comes.
    private mutating func arrive(at time: Duration) -> Bool {
        guard let device = away.take() else { return false }
        entries.append(FleetScript.Entry(at: time, device: device, .arrive))
        there.append(device)
        return true
    }

    private mutating func depart(at time: Duration) {
        guard let device = there.take() else { return }
        entries.append(FleetScript.Entry(at: time, device: device, .depart))
        away.append(device)
        if owed > 0, arrive(at: time) { owed -= 1 }
    }
}

extension Scenario.Stage.Flow {
    fileprivate var isWithin: Bool {
        switch self {
        case .within: true
        case .perSecond: false
        }
    }
}
