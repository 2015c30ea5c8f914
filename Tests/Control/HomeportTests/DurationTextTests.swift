import Testing

@testable import Homeport

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("10m", .seconds(600)),
        ("24h", .seconds(86_400)), ("7d", .seconds(604_800)), ("0s", .zero), ("007s", .seconds(7)),
    ])
    func readsTheUnitsOfTheCommandLine(text: String, duration: Duration) {
        #expect(Duration(text: text) == duration)
    }

    @Test(arguments: [
        "", "s", "30", "30 s", "-1s", "+1s", "1.5s", "1e3ms", "30S", "30sec", "1w", "999999999999d",
        "٣s",
        "9999999999999s", "30s ",
    ])
    func refusesWhatIsNoDuration(text: String) {
        #expect(Duration(text: text) == nil)
    }

    @Test(arguments: [
        (Duration.milliseconds(1), "1ms"), (.milliseconds(1_500), "1500ms"), (.seconds(30), "30s"),
        (.seconds(90), "90s"), (.seconds(120), "2m"), (.seconds(86_400), "24h"), (.zero, "0s"),
    ])
    func writesTheLargestUnitThatFits(duration: Duration, text: String) {
        #expect(duration.text == text)
        #expect(Duration(text: text) == duration)
    }
}
