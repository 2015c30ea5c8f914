import DeviceDomain
import Testing

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "abc", 3), ("show", "show", 0), ("shwo", "show", 1),
        ("shw", "show", 1), ("showw", "show", 1), ("shaw", "show", 1), ("kitten", "sitting", 3),
        ("devcies", "devices", 1), ("levle", "level", 1), ("ca", "abc", 3), ("ab", "ba", 1),
        ("watch", "history", 6), ("ä", "a", 1), ("e\u{301}", "é", 0),
    ])
    func theDistanceIsTheNumberOfTypingErrors(first: String, second: String, distance: Int) {
        #expect(Suggestion.distance(Array(first), Array(second)) == distance)
        #expect(Suggestion.distance(Array(second), Array(first)) == distance)
    }

    @Test(arguments: [
        ("devcies", ["devices"]), ("DEVICES", ["devices"]), ("dev", ["devices"]),
        ("shwo", ["show"]),
        ("hist", ["history"]), ("frob", []), ("", []), ("s", []), ("se", []),
        (String(repeating: "devices", count: 10_000), []),
    ])
    func aVerbIsRecognised(typed: String, suggested: [String]) {
        let verbs = ["devices", "show", "watch", "send", "history", "channels"]
        #expect(Suggestion.nearest(to: typed, among: verbs) == suggested)
    }

    @Test func onlyTheNearestNamesAreOffered() {
        let names = ["sweeper-1", "sweeper-2", "pool-1"]
        #expect(Suggestion.nearest(to: "sweper-1", among: names) == ["sweeper-1"])
        #expect(Suggestion.nearest(to: "sweeper-9", among: names) == ["sweeper-1", "sweeper-2"])
    }

    @Test func manyNamesAreNoHelp() {
        let names = (1...9).map { "lamp-\($0)" }
        #expect(Suggestion.nearest(to: "lamp-0", among: names) == [])
    }

    @Test func theQuestionNamesWhatMayHaveBeenMeant() {
        #expect(Suggestion.question(about: "frob", among: ["show"]) == "")
        #expect(Suggestion.question(about: "a1", among: ["a2"]) == "; did you mean a2?")
        #expect(Suggestion.question(about: "Hall", among: ["Hal "]) == #"; did you mean "Hal "?"#)
        #expect(
            Suggestion.question(about: "a0", among: ["a3", "a1", "a2", "a1"])
                == "; did you mean a1, a2 or a3?")
    }
}
