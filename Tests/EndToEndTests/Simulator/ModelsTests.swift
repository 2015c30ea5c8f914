import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// `homeport-sim models`, and the options that read the same table.
@Suite(.timeLimit(.minutes(1))) struct ModelsTests {
    private static func sim(_ words: String...) async throws -> Workplace.Run {
        try await FaultHouse.sim(words, in: try Workplace())
    }

    @Test func everyLineIsANumberWithUnitAndSource() async throws {
        let run = try await Self.sim("models", "--json")
        #expect(run.status == 0 && run.lines.count > 150, "\(run.errors)")
        var seen: Set<[String]> = []
        for line in run.lines {
            let object = try #require(try JSONReader.read(Array(line.utf8)).object)
            let model = try #require(object["model"]?.string)
            let parameter = try #require(object["parameter"]?.string)
            #expect(object["value"]?.number != nil && object["estimate"]?.boolean != nil, "\(line)")
            for name in ["unit", "source"] {
                #expect(object[name]?.string?.isEmpty == false, "\(line)")
            }
            if let range = object["range"] { #expect(range.array?.count == 2, "\(line)") }
            seen.insert([model, parameter])
        }
        #expect(seen.count == run.lines.count, "a number is printed once")
        #expect(seen.contains(["pool-c1", "battery.capacity"]))
        #expect(seen.contains(["pool-p1", "supply.trip"]))
    }

    @Test func theTableSaysWhatIsAnEstimate() async throws {
        let run = try await Self.sim("models")
        let line = try #require(
            run.lines.first { $0.contains("pool-p1") && $0.contains(" pump.voltage ") })
        #expect(line.contains(" 24 ") && line.contains(" V ") && line.contains("Polaris"))
        let ranged = try #require(run.lines.first { $0.contains(" drive.speed ") })
        #expect(ranged.contains("0.2…0.24") && ranged.contains("estimate: "))
        #expect(run.lines.first?.hasPrefix("MODEL") == true)
    }

    /// The options with the numbers of devices come from the table.
    @Test func helpHasAnOptionForEachKind() async throws {
        let help = try await Self.sim("run", "--help").output
        for option in ["--sweepers <N>", "--pools <N>", "--stores <N>"] {
            #expect(help.contains(option), "\(help)")
        }
        #expect(help.contains("Sweeping robots in each home (default: 3)."))
        let wrong = try await Self.sim("run", "--pools", "x")
        #expect(wrong.status == 64 && wrong.errors.contains("--pools"), "\(wrong)")
        let nothing = try await Self.sim("run", "--pools", "0")
        #expect(nothing.status == 64)
        #expect(nothing.errors.contains("--sweepers, --pools, --stores and --unprovisioned"))
    }
}
