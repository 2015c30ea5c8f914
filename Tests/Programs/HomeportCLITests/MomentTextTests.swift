import Homeport
import Testing

@testable import HomeportCLI

/// Moments as people write them.
@Suite struct MomentTextTests {
    /// 2026-11-27T04:30:00Z, half past five by the clocks of ``calendar``.
    private let now = Timestamp(milliseconds: 1_795_753_800_000)
    private let calendar = LocalCalendar { _ in 3_600 }

    @Test(arguments: [
        ("30m", "2026-11-27T04:00:00.000Z"), ("24h", "2026-11-26T04:30:00.000Z"),
        ("05:30", "2026-11-27T04:30:00.000Z"), ("05:31", "2026-11-26T04:31:00.000Z"),
        ("2026-11-27", "2026-11-26T23:00:00.000Z"),
        ("2026-11-27 05:00", "2026-11-27T04:00:00.000Z"),
        ("2026-11-27T05:00:07", "2026-11-27T04:00:07.000Z"),
        ("2026-11-27T05:00:07.5Z", "2026-11-27T05:00:07.500Z"),
        ("2026-11-27T05:00Z", "2026-11-27T05:00:00.000Z"),
        ("2026-11-27T05:00+02:00", "2026-11-27T03:00:00.000Z"),
        ("2026-11-27T05:00:00-02:30", "2026-11-27T07:30:00.000Z"),
    ])
    func aMomentIsRead(text: String, moment: String) {
        #expect(MomentText.moment(text, now: now, in: calendar)?.description == moment)
    }

    @Test(arguments: [
        "", "5", "1w", "24:00", "2026-13-01", "2026-11-27T", "2026-11-27T5:00", "2026-11-27T05",
        "2026-11-27T05:00:60", "2026-11-27T05:00:1", "2026-11-27T05:00:00.", "2026-11-27T05:00X",
        "2026-11-27T05:00+2", "T05:00", "yesterday", "2026-11-27T05:00:0é",
    ])
    func anythingElseIsRefused(text: String) {
        #expect(MomentText.moment(text, now: now, in: calendar) == nil)
    }
}
