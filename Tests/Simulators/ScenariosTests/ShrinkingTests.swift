import Fleet
import Testing

@testable import Scenarios

/// Scenarios as texts, and the smallest ones that still fail.
@Suite struct ShrinkingTests {
    /// Twenty faults, of which one matters together with one command.
    private static func planted() throws -> Scenario {
        var lines = [
            "duration: 1h", "seed: 4", "homes: 12", "devices:",
            "  sweeper: {kind: sweeping-robot, count: 3}",
            "  store: {kind: energy-store, count: 5}",
            "commands:",
        ]
        lines += (1...9).map { "  - {at: \($0)m, to: sweeper, name: locate}" }
        lines.append("faults:")
        lines += (1...20).map {
            let name = ["offline", "slow", "mute", "hardware-fault"][$0 % 4]
            return "  - {fault: \(name), on: all, at: \($0)m, for: \($0)m}"
        }
        lines.append("assertions:")
        lines.append("  - {name: answered, metric: open-commands, max: 0}")
        return try Scenario(lines.joined(separator: "\n"), path: "planted.yaml")
    }

    /// A failure that needs two homes, two robots, one fault and one command.
    private static func fails(_ scenario: Scenario) -> Bool {
        scenario.homes >= 2
            && scenario.groups.contains { $0.group.name == "sweeper" && $0.count >= 2 }
            && scenario.faults.contains { $0.time == .at(.seconds(13 * 60)) }
            && scenario.commands.contains { $0.at == .seconds(7 * 60) }
    }

    @Test func aPlantedFailureIsFoundAmongTwentyFaults() async throws {
        var trials = 0
        let smallest = try await ScenarioShrinker.smallest(of: Self.planted()) { scenario in
            trials += 1
            return Self.fails(scenario)
        }
        #expect(smallest.faults.map(\.time) == [.at(.seconds(13 * 60))])
        #expect(smallest.commands.map(\.at) == [.seconds(7 * 60)])
        #expect(smallest.homes == 2)
        #expect(smallest.groups.map(\.group.name) == ["sweeper"])
        #expect(smallest.groups.map(\.count) == [2])
        #expect(smallest.assertions.count == 1)
        #expect(trials < 60, "\(trials) trials")
    }

    @Test func whatNeedsNothingLosesEverything() async throws {
        let smallest = try await ScenarioShrinker.smallest(of: Self.planted()) { _ in true }
        #expect(smallest.faults.isEmpty && smallest.commands.isEmpty)
        #expect(smallest.homes == 1 && smallest.groups.map(\.count) == [1])
    }

    /// Whatever of its faults a failure needs, just these are left over.
    @Test func anySetOfFaultsThatIsNeededIsFound() async throws {
        let scenario = try Self.planted()
        for number in 0..<60 {
            let needed = Set((0..<20).filter { ($0 * 7 + number * 5) % 11 < number % 4 })
            let times = Set(needed.map { scenario.faults[$0].time })
            let smallest = try await ScenarioShrinker.smallest(of: scenario) {
                times.isSubset(of: $0.faults.map(\.time))
            }
            #expect(Set(smallest.faults.map(\.time)) == times)
            #expect(smallest.faults.count == times.count)
        }
    }

    // MARK: The text

    @Test func whatIsWrittenIsReadAsTheSame() throws {
        var scenario = try Scenario(ScenarioReadingTests.whole, path: "x.yaml")
        scenario.name = "an evening: with 'quotes' and #marks"
        scenario.speed = .times(0.5)
        let again = try Scenario(scenario.written, path: "written.yaml")
        #expect(again.written == scenario.written)
        #expect(again.name == scenario.name && again.epoch == scenario.epoch)
        #expect(again.seed == 7 && again.speed == .times(0.5))
        #expect(again.duration == scenario.duration)
        #expect(again.homes == 3 && again.regions == 2)
        #expect(again.groups == scenario.groups)
        #expect(again.stages == scenario.stages)
        #expect(again.commands == scenario.commands)
        #expect(again.faults == scenario.faults)
        #expect(again.assertions == scenario.assertions)
    }

    @Test(arguments: ScenarioLibraryTests.names)
    func everyScenarioOfTheLibraryIsWrittenAsItIsRead(name: String) throws {
        let scenario = try Scenario(path: ScenarioLibraryTests.path(name))
        let again = try Scenario(scenario.written, path: name)
        #expect(again.groups == scenario.groups && again.stages == scenario.stages)
        #expect(again.commands == scenario.commands && again.faults == scenario.faults)
        #expect(again.assertions == scenario.assertions)
    }
}
