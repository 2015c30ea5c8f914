import Connectivity
import DeviceDomain
import Testing

@testable import Automation

/// Rules of comparisons and presence: when they begin, how long they must hold, when they are over.
@Suite struct RuleHoldTests {
    private let store = DeviceID.literal("store-1")
    private let key = RuleWatchKey(rule: RuleID(number: 1), device: .literal("store-1"))

    private func bench(_ plan: RulePlan) throws -> RuleBench {
        var bench = RuleBench(plan)
        try bench.announce("store-e10", as: store)
        _ = bench.hear(.presence(Presence(.online)), from: store)
        return bench
    }

    /// Samples, one a minute, and the minutes at which the rule runs.
    @Test(arguments: [
        // Once when it becomes true, not again while it stays so.
        ("stateOfChargePercent<20", 0, 0.0, [50, 19, 18, 25, 19, 21], [1, 4]),
        ("stateOfChargePercent<20", 0, 0, [19, 19], [0]),
        ("stateOfChargePercent<=20", 0, 0, [20.5, 20, 20.5, 20], [1, 3]),
        ("stateOfChargePercent>80", 0, 0, [80, 81, 80, 81], [1, 3]),
        ("stateOfChargePercent=50", 0, 0, [49, 50, 50, 51, 50], [1, 4]),
        // A number that wavers about the limit is one occasion.
        ("stateOfChargePercent<20", 0, 5, [50, 19, 21, 19, 24.9, 19, 25, 19], [1, 7]),
        ("stateOfChargePercent>80", 0, 2, [81, 79, 81, 78, 81], [0, 4]),
        // It must hold for so many minutes, and begins anew where it does not.
        ("stateOfChargePercent<20", 3, 0, [19, 19, 19, 19, 19], [3]),
        ("stateOfChargePercent<20", 3, 0, [19, 19, 21, 19, 19, 19, 19, 19], [6]),
        ("stateOfChargePercent<20", 3, 5, [19, 19, 21, 19, 19, 19], [3]),
        ("stateOfChargePercent<20", 3, 0, [19, 19, 19, 21, 19, 19], []),
    ])
    func itRunsWhenTheComparisonBeginsOrHasHeld(
        when: String, minutes: Int, margin: Double, samples: [Double], expected: [Int]
    ) throws {
        var bench = try bench(RulePlan(when, hold: .seconds(minutes * 60), margin: margin))
        var ran: [Int] = []
        for (minute, sample) in samples.enumerated() {
            if minute > 0 {
                _ = bench.pass(.seconds(59))
                // A sample that ends a hold comes just before its time is over.
                if sample > 20, when.contains("<"), minutes > 0, margin == 0 {
                    ran += bench.sample(.stateOfChargePercent, sample, from: store).runs.map { _ in
                        minute
                    }
                }
                ran += bench.pass(.seconds(1)).runs.map { _ in minute }
            }
            ran += bench.sample(.stateOfChargePercent, sample, from: store).runs.map { _ in minute }
        }
        #expect(ran == expected)
    }

    @Test func theEndOfAHoldNeedsNoMessage() throws {
        var bench = try bench(RulePlan("stateOfChargePercent<20", hold: .seconds(300)))
        let steps = bench.sample(.stateOfChargePercent, 18, from: store)
        #expect(steps.remembered[key]?.phase == .holding(since: bench.now.wall))
        #expect(bench.engine.nextLook(after: bench.now) == bench.now.elapsed + .seconds(300))
        #expect(bench.pass(.seconds(299)).isEmpty)
        let run = try #require(bench.pass(.seconds(1)).runs.first)
        #expect(
            run.cause.hasSuffix("reports stateOfChargePercent 18: stateOfChargePercent<20 for 5m"),
            "\(run.cause)")
        #expect(bench.engine.nextLook(after: bench.now) == nil)
    }

    @Test func aHoldGoesOnOverARestart() throws {
        var bench = try bench(RulePlan("stateOfChargePercent<20", hold: .seconds(300)))
        let steps = bench.sample(.stateOfChargePercent, 18, from: store)
        _ = bench.pass(.seconds(120))
        bench.restart(remembering: steps.remembered)
        // Whether it still holds is not known until the device says so.
        #expect(bench.pass(.seconds(180)).isEmpty)
        #expect(bench.sample(.stateOfChargePercent, 17, from: store).runs.count == 1)
    }

    @Test func aHoldWhoseEndIsToComeAfterARestartNeedsOneMessage() throws {
        var bench = try bench(RulePlan("stateOfChargePercent<20", hold: .seconds(300)))
        let steps = bench.sample(.stateOfChargePercent, 18, from: store)
        _ = bench.pass(.seconds(120))
        bench.restart(remembering: steps.remembered)
        #expect(bench.sample(.stateOfChargePercent, 18, from: store).runs.isEmpty)
        #expect(bench.pass(.seconds(179)).isEmpty)
        #expect(bench.pass(.seconds(1)).runs.count == 1)
    }

    @Test func aHoldThatWasOverDuringARestartIsOver() throws {
        var bench = try bench(RulePlan("stateOfChargePercent<20", hold: .seconds(300)))
        let steps = bench.sample(.stateOfChargePercent, 18, from: store)
        bench.restart(remembering: steps.remembered)
        #expect(
            bench.sample(.stateOfChargePercent, 30, from: store).remembered[key]?.phase == .released
        )
        #expect(bench.pass(.seconds(600)).isEmpty)
    }

    @Test func whatHasRunDoesNotRunAgainAfterARestart() throws {
        var bench = try bench(RulePlan("stateOfChargePercent<20"))
        let steps = bench.sample(.stateOfChargePercent, 18, from: store)
        #expect(steps.runs.count == 1)
        bench.restart(remembering: steps.remembered)
        #expect(bench.sample(.stateOfChargePercent, 17, from: store).runs.isEmpty)
        #expect(bench.sample(.stateOfChargePercent, 30, from: store).runs.isEmpty)
        #expect(bench.sample(.stateOfChargePercent, 17, from: store).runs.count == 1)
    }

    @Test func aDeviceThatCannotBeReachedHoldsNothing() throws {
        var bench = try bench(RulePlan("stateOfChargePercent<20", hold: .seconds(300)))
        _ = bench.sample(.stateOfChargePercent, 18, from: store)
        _ = bench.hear(.presence(Presence(.offline)), from: store)
        #expect(bench.pass(.seconds(900)).isEmpty)
        _ = bench.hear(.presence(Presence(.online)), from: store)
        #expect(bench.pass(.seconds(1)).isEmpty)
        #expect(bench.sample(.stateOfChargePercent, 18, from: store).runs.count == 1)
    }

    @Test func anOldMessageBeginsNothingAndEndsWhatHolds() throws {
        let plan = try RulePlan(
            "stateOfChargePercent<20", hold: .seconds(300), maxAge: .seconds(60))
        var bench = try bench(plan)
        #expect(bench.sample(.stateOfChargePercent, 18, from: store, age: .seconds(61)).isEmpty)
        #expect(!bench.sample(.stateOfChargePercent, 18, from: store).isEmpty)
        #expect(!bench.sample(.stateOfChargePercent, 30, from: store, age: .seconds(61)).isEmpty)
        #expect(bench.pass(.seconds(600)).isEmpty)
    }

    @Test func aWallClockThatIsSetChangesNoHold() throws {
        var bench = try bench(RulePlan("stateOfChargePercent<20", hold: .seconds(300)))
        _ = bench.sample(.stateOfChargePercent, 18, from: store)
        bench.now.wall = bench.now.wall.advanced(by: .seconds(7_200))
        #expect(bench.pass(.seconds(299)).isEmpty)
        #expect(bench.pass(.seconds(1)).runs.count == 1)
    }

    @Test func presenceRunsWhenItChanges() throws {
        var bench = try bench(RulePlan("presence=offline"))
        let runs = bench.hear(.presence(Presence(.offline)), from: store).runs
        #expect(runs.first?.cause.hasSuffix("is offline: presence=offline") == true)
        #expect(bench.hear(.presence(Presence(.online)), from: store).runs.isEmpty)
        #expect(bench.hear(.presence(Presence(.offline)), from: store).runs.count == 1)
    }

    @Test func aDeviceThatWasAwayBeforeAnybodyListenedIsNotNews() throws {
        var bench = RuleBench(try RulePlan("presence=offline"))
        let steps = bench.hear(.presence(Presence(.offline)), from: store)
        #expect(steps.runs.isEmpty)
        #expect(steps.remembered[key]?.phase == .spent)
        _ = bench.hear(.presence(Presence(.online)), from: store)
        #expect(bench.hear(.presence(Presence(.offline)), from: store).runs.count == 1)
    }

    @Test func aDeviceThatWentAwayDuringARestartIsNews() throws {
        var bench = RuleBench(try RulePlan("presence=offline"))
        let steps = bench.hear(.presence(Presence(.online)), from: store)
        bench.restart(remembering: steps.remembered)
        #expect(bench.hear(.presence(Presence(.offline)), from: store).runs.count == 1)
    }

    @Test func aDeviceThatComesBackInTimeWasNotAway() throws {
        var bench = try bench(RulePlan("presence=offline", hold: .seconds(600)))
        _ = bench.hear(.presence(Presence(.offline)), from: store)
        #expect(bench.pass(.seconds(599)).isEmpty)
        _ = bench.hear(.presence(Presence(.online)), from: store)
        #expect(bench.pass(.seconds(600)).isEmpty)
        _ = bench.hear(.presence(Presence(.offline)), from: store)
        #expect(bench.pass(.seconds(600)).runs.count == 1)
    }

    @Test func aConditionThatIsNotMetAtTheEndOfAHoldForgoesTheRun() throws {
        let plan = try RulePlan(
            "stateOfChargePercent<20", hold: .seconds(60), if: ["mode=backup"])
        var bench = try bench(plan)
        _ = bench.sample(.stateOfChargePercent, 18, from: store)
        let steps = bench.pass(.seconds(60))
        #expect(steps.runs.isEmpty)
        #expect(steps.remembered[key]?.phase == .spent)
    }
}
