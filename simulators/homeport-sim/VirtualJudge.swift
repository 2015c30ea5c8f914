import DeviceDomain
import Fleet
import Scenarios
import TerminalOutput

/// Judges the assertions of a run without a broker from what its processes tell.
struct VirtualJudge {
    private let plan: ScenarioPlan?
    /// The assertions that can be judged, by their numbers.
    private let judged: [Int]

    init(_ plan: ScenarioPlan?) {
        self.plan = plan
        let assertions = plan?.scenario.assertions ?? []
        judged = assertions.indices.filter { !assertions[$0].metric.needsBroker }
    }

    /// The assertions that are not judged, and why.
    var leftOut: [UncheckedAssertion] {
        (plan?.scenario.assertions ?? []).filter(\.metric.needsBroker).map {
            UncheckedAssertion(
                name: $0.name, metric: $0.metric.rawValue,
                reason: "\($0.metric.rawValue) needs a broker, and --speed max runs without one")
        }
    }

    /// Says what of the scenario does not happen, and which assertions are not judged.
    func announceWhatIsLeftOut() {
        if plan?.scenario.stages.isEmpty == false {
            Console.simulator.announce(
                "the stages are left out: with --speed max devices have no broker to come to, and live "
                    + "from the start")
        }
        for assertion in leftOut {
            Console.simulator.announce(
                "assertion \(assertion.name) is left out: \(assertion.reason)")
        }
    }

    /// Whether a line is for an assertion, and not for the report.
    func isMeasurement(_ line: JSONObject) -> Bool { line["measured"] != nil }

    /// What became of the assertions, in the order of the scenario; those that do not hold are told.
    /// - Parameter epoch: what the world clock showed at first.
    func outcomes(of lines: [JSONObject], from epoch: Timestamp) -> [AssertionOutcome] {
        guard let plan else { return [] }
        var measured: [Int: Measurement] = [:]
        for line in lines {
            guard let index = line["measured"]?.integer else { continue }
            measured[index, default: Measurement()].add(Measurement(line))
        }
        return judged.map { index in
            let assertion = plan.scenario.assertions[index]
            let outcome = assertion.outcome(
                of: plan.isReached(assertion) ? measured[index] : nil,
                in: FailureContext(plan, from: epoch))
            if !outcome.passed { Console.simulator.note(outcome.failure) }
            return outcome
        }
    }
}

extension VirtualRun {
    /// Runs, and tells what it came to in lines: those of the report, then one for each assertion.
    /// - Throws: `FleetError`.
    func lines(for plan: ScenarioPlan?, of own: FleetPlan) async throws -> [JSONObject] {
        let outcome = try await outcome()
        guard let plan else { return outcome.report.lines }
        let keys = Set(own.devices.map(\.key))
        let measured = plan.scenario.assertions.indices.map { index in
            var members = plan.measure(index, of: keys, in: outcome).members
            members["measured"] = .integer(index)
            return members
        }
        return outcome.report.lines + measured
    }
}
