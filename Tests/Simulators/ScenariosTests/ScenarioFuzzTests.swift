import Basics
import TestSupport
import Testing

@testable import Scenarios

/// Texts that are no scenarios.
@Suite struct ScenarioFuzzTests {
    /// What every error says first: file, line, column.
    private static func hasPlace(_ line: String) -> Bool {
        let parts = line.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "x.yaml" && (Int(parts[1]) ?? 0) > 0
            && (Int(parts[2]) ?? 0) > 0 && parts[3].count > 1
    }

    /// A scenario of which parts are spoilt is read, or refused with places.
    @Test func spoiltScenariosAreRefusedWithTheirPlaces() {
        var generator = SeededGenerator(seed: 20_260_621)
        let words = [
            "~", "[]", "{}", "-1", "1e999", "nan", "\"\"", "max", "99999999999999999999h",
            "&a [*a]", "'", "\t",
            "\u{1F600}", ": ", "- ", "\n", "{a: {a: {a: 1}}}", "home-1/all", "feeder:",
        ]
        let lines = ScenarioReadingTests.whole.split(
            separator: "\n", omittingEmptySubsequences: false)
        var refused = 0
        for _ in 0..<1500 {
            var text = lines.map(String.init)
            for _ in 0...Int.random(in: 0...2, using: &generator) {
                let place = Int.random(in: text.indices, using: &generator)
                switch Int.random(in: 0...4, using: &generator) {
                case 0: text.remove(at: place)
                case 1:
                    text.insert(text[Int.random(in: text.indices, using: &generator)], at: place)
                case 2: text[place] += words.randomElement(using: &generator) ?? ""
                case 3:
                    let parts = text[place].split(separator: ":", maxSplits: 1)
                    if let name = parts.first {
                        text[place] = "\(name): \(words.randomElement(using: &generator) ?? "")"
                    }
                default:
                    let characters = Array(text[place])
                    text[place] = String(
                        characters.prefix(
                            Int.random(in: 0...characters.count, using: &generator)))
                }
                if text.isEmpty { text = [""] }
            }
            do {
                _ = try Scenario(text.joined(separator: "\n"), path: "x.yaml")
            } catch {
                refused += 1
                for line in error.lines { #expect(Self.hasPlace(line), "\(line)") }
            }
        }
        #expect(refused > 500)
    }

    @Test(arguments: [
        "", "# nothing", "a", "[", "{", "- - - -", "\u{0}", "%YAML 3.0\n---", "--- a\n--- b",
        "&a *a",
        "? [a]\n: b", "!!binary x", "x: &x [*x]", "devices: {? [1] : 2}",
    ])
    func oddTextsAreRefused(text: String) {
        #expect(throws: ScenarioProblems.self) { try Scenario(text, path: "x.yaml") }
    }

    /// However deep a text is nested, the parser ends before the stack does.
    @Test(arguments: ["[", "{a: ", "- "])
    func deepTextsAreRefused(word: String) {
        let text = "devices: " + String(repeating: word, count: 20_000)
        #expect(throws: ScenarioProblems.self) { try Scenario(text, path: "x.yaml") }
    }

    /// An alias may stand for many values.
    @Test func aliasesThatMultiplyAreRefused() {
        var text = "duration: 1h\ndevices: {x: {kind: energy-store, count: 1}}\na0: &a0 [1, 1]\n"
        for level in 1..<30 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
        text += "faults: [{fault: slow, on: all, at: 1m, set: {delayMs: *a29}}]"
        #expect(throws: ScenarioProblems.self) { try Scenario(text, path: "x.yaml") }
    }
}
