import DeviceControl
import DeviceDomain
import Foundation
import Testing

/// Every order in which two commands, a controller that is killed, a link that loses, and a device
/// can meet, up to a number of faults; and random orders with more of them.
///
/// `MODEL_CHECK_FAULTS` sets the number of faults, and lets the clock show every moment.
@Suite struct ModelCheckTests {
    static let pairs: [(CommandName, CommandName)] = [
        (.setSuctionLevel, .setSuctionLevel), (.startCleaning, .stop), (.locate, .startCleaning),
    ]
    private static let fewInstants: [Duration] = [.zero, .seconds(31)]

    private let wantedFaults = ProcessInfo.processInfo.environment["MODEL_CHECK_FAULTS"]
        .flatMap(Int.init)

    @Test(arguments: 0..<pairs.count)
    func noOrderOfEventsLosesACommandOrLiesAboutIt(_ pair: Int) throws {
        var scenario = try ModelScenario(Self.pairs[pair])
        if wantedFaults == nil { scenario.instants = Self.fewInstants }
        let clock = ContinuousClock()
        let start = clock.now
        let result = ModelSearch.run(scenario, faults: wantedFaults ?? 1)
        print(
            "model check: \(scenario.commands), \(wantedFaults ?? 1) faults: "
                + "\(result.states) states, \(result.transitions) transitions, "
                + "\(result.ends) ends, \(clock.now - start)")
        #expect(result.ends > 0)
        if let trace = result.counterexample { Issue.record("\(trace)") }
    }

    @Test(arguments: 0..<pairs.count)
    func noneOfManyRandomOrdersWithEightFaultsDoes(_ pair: Int) throws {
        let scenario = try ModelScenario(Self.pairs[pair])
        var transitions = 0
        for seed in 0..<walks {
            let (trace, count) = ModelWalk.run(scenario, faults: 8, seed: seed)
            transitions += count
            guard let trace else { continue }
            Issue.record("seed \(seed): \(trace)")
            return
        }
        print(
            "model check: \(scenario.commands), \(walks) random walks: \(transitions) transitions")
    }

    private var walks: UInt64 { wantedFaults == nil ? 5_000 : 100_000 }

    /// The checker itself: each wrong behaviour has a counterexample in one of the scenarios.
    @Test(arguments: ModelScenario.Flaw.allCases)
    func aWrongBehaviourIsFound(_ flaw: ModelScenario.Flaw) throws {
        for pair in Self.pairs {
            guard let trace = try trace(of: flaw, in: pair) else { continue }
            print("model check: \(flaw.rawValue) is found: \(trace)")
            return
        }
        Issue.record("\(flaw.rawValue) has no counterexample")
    }

    private func trace(of flaw: ModelScenario.Flaw, in pair: (CommandName, CommandName)) throws
        -> String?
    {
        var scenario = try ModelScenario(pair, flaw: flaw)
        // The older setting comes again when its resend is due.
        scenario.instants = flaw == .noSequence ? [.zero, .seconds(10)] : Self.fewInstants
        return ModelSearch.run(scenario, faults: 1).counterexample
    }
}
