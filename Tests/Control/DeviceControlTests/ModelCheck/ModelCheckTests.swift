import DeviceControl
import DeviceDomain
import Foundation
import Testing

/// Every order in which one or two commands, a controller that is killed, a link that loses, and a device
/// can meet: for one command with any number of faults, for two up to a number; and random orders with more.
///
/// `MODEL_CHECK_FAULTS`, a number or `any`, sets the number of faults, and lets the clock show every moment.
@Suite struct ModelCheckTests {
    static let singles: [CommandName] = [.startCleaning, .stop]
    static let pairs: [[CommandName]] = [
        [.setSuctionLevel, .setSuctionLevel], [.startCleaning, .stop], [.locate, .startCleaning],
    ]
    private static let fewInstants: [Duration] = [.zero, .seconds(31)]

    private let wantedFaults = ProcessInfo.processInfo.environment["MODEL_CHECK_FAULTS"]

    @Test(arguments: pairs)
    func noOrderOfEventsLosesACommandOrLiesAboutIt(_ pair: [CommandName]) throws {
        var scenario = try ModelScenario(pair)
        if wantedFaults == nil { scenario.instants = Self.fewInstants }
        try search(scenario, faults: faults(orElse: 1))
    }

    @Test(arguments: singles)
    func noOrderOfEventsDoesSoToASingleCommand(_ command: CommandName) throws {
        try search(ModelScenario([command]), faults: faults(orElse: nil))
    }

    /// - Returns: `nil` for any number.
    private func faults(orElse usual: Int?) throws -> Int? {
        guard let wantedFaults else { return usual }
        guard wantedFaults != "any" else { return nil }
        let number: UInt8 = try #require(
            UInt8(wantedFaults), "MODEL_CHECK_FAULTS is a number up to 255, or any")
        return Int(number)
    }

    private func search(_ scenario: ModelScenario, faults: Int?) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let result = ModelSearch.run(scenario, faults: faults)
        print(
            "model check: \(scenario.commands), \(faults.map(String.init) ?? "any") faults: "
                + "\(result.states) states, \(result.transitions) transitions, "
                + "\(result.ends) ends, \(clock.now - start)")
        #expect(result.ends > 0)
        if let trace = result.counterexample { Issue.record("\(trace)") }
    }

    @Test(arguments: pairs)
    func noneOfManyRandomOrdersWithEightFaultsDoes(_ pair: [CommandName]) throws {
        let scenario = try ModelScenario(pair)
        var transitions = 0
        for seed in 0..<walks {
            let (trace, worlds) = ModelWalk.run(scenario, faults: 8, seed: seed)
            transitions += worlds.count
            guard let trace else { continue }
            Issue.record("seed \(seed): \(trace)")
            return
        }
        print(
            "model check: \(scenario.commands), \(walks) random walks: \(transitions) transitions")
    }

    private var walks: UInt64 { wantedFaults == nil ? 5_000 : 100_000 }

    /// The checker itself: what it takes for one world is one.
    @Test(arguments: pairs)
    func worldsWithOneKeyBehaveAlike(_ pair: [CommandName]) throws {
        let scenario = try ModelScenario(pair)
        var futures: [ModelKey: [ModelEvent: ModelKey]] = [:]
        var comparisons = 0
        for seed in 0..<walks / 25 {
            for world in ModelWalk.run(scenario, faults: 8, seed: seed).worlds {
                let future = Dictionary(
                    uniqueKeysWithValues: world.events.map { ($0, ModelKey(world.after($0))) })
                let known = futures.updateValue(future, forKey: ModelKey(world))
                guard let known else { continue }
                comparisons += 1
                #expect(known == future, "seed \(seed)")
            }
        }
        #expect(comparisons > 0)
    }

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

    private func trace(of flaw: ModelScenario.Flaw, in pair: [CommandName]) throws
        -> String?
    {
        var scenario = try ModelScenario(pair, flaw: flaw)
        // The older setting comes again when its resend is due.
        scenario.instants = flaw == .noSequence ? [.zero, .seconds(10)] : Self.fewInstants
        return ModelSearch.run(scenario, faults: 1).counterexample
    }
}
