package import DeviceDomain
import DeviceSimulation
import Fleet

/// What people are told beside the place of a failure, so that they see its cause: the time of day, and the faults that
/// the scenario has for that device then.
package struct FailureContext: Sendable {
    /// How long after its end a fault is named as one that was there shortly before.
    private static let aftermath = Duration.seconds(60)

    private let plan: ScenarioPlan
    private let epoch: Timestamp

    /// - Parameter epoch: what the world clock showed at first.
    package init(_ plan: ScenarioPlan, from epoch: Timestamp) {
        self.plan = plan
        self.epoch = epoch
    }

    /// When an assertion is looked at (world time from the epoch).
    func time(of assertion: Scenario.Assertion) -> Duration? {
        plan.time(of: assertion) ?? plan.duration
    }

    /// A time of the world, such as `18:08:05 (8m5s)`.
    /// - Parameter time: from the epoch.
    func written(_ time: Duration) -> String {
        let day = "\(epoch.advanced(by: time))".dropFirst(11).prefix(8)
        return "\(day) (\(time.writtenBriefly))"
    }

    /// The faults that a device has in a stretch of time (world time from the epoch), and those that ended shortly before
    /// it; empty where it has none.
    func faults(of device: DeviceKey, from start: Duration, to end: Duration) -> String {
        var ends: [SimulatedFault: Duration?] = [:]
        for entry in plan.script.entries where entry.device == device && entry.at <= end {
            guard case .fault(.inject(let fault, let lasting)) = entry.event else { continue }
            let isShort = !fault.name.specification.lasts
            let over = isShort ? entry.at : lasting.map { entry.at + $0 }
            if over.map({ $0 + Self.aftermath >= start }) ?? true { ends[fault.name] = .some(over) }
        }
        let names = ends.sorted { $0.key < $1.key }.map { fault, over in
            guard let over, over < start else { return fault.rawValue }
            let word = fault.specification.lasts ? "until" : "at"
            return "\(fault.rawValue) \(word) \(over.writtenBriefly)"
        }
        return names.isEmpty ? "" : ": \(names.joined(separator: ", "))"
    }
}
