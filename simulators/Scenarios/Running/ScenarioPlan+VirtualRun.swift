package import Fleet

// Assertions over a run without a broker.
extension ScenarioPlan {
    /// What a process measures for an assertion once its part of the run is over.
    /// - Parameters:
    ///   - index: its number in the scenario.
    ///   - own: the devices of the process.
    ///   - outcome: what its part of the run came to.
    package func measure(
        _ index: Int, of own: Set<DeviceKey>, in outcome: VirtualRun.Outcome
    ) -> Measurement {
        var measured = Measurement()
        let assertion = scenario.assertions[index]
        let end = duration ?? .zero
        switch assertion.metric {
        case .executionsPerCommand, .duplicateAcks, .openCommands, .commandP50, .commandP99:
            measured.commands = outcome.commands.figures(
                of: devices(of: assertion).intersection(own),
                meantWithin: assertion.commandWindow, upTo: time(of: assertion) ?? end)
        case .invariantViolations:
            let time = min(assertion.at ?? end, end)
            if let place = script.checkpoints.firstIndex(of: time) {
                measured.count = outcome.violations[place]
            }
        case .onlineShare, .lostSamples, .convergedShare, .connectRate: break
        }
        return measured
    }

    /// Whether an assertion is looked at before the run ends.
    package func isReached(_ assertion: Scenario.Assertion) -> Bool {
        guard let duration else { return true }
        return (assertion.at ?? assertion.to).map { $0 <= duration } ?? true
    }
}
