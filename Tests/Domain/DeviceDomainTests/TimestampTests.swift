import DeviceDomain
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (951_868_800_000, "2000-03-01T00:00:00.000Z"),
        (1_764_000_000_123, "2025-11-24T16:00:00.123Z"),
        (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (-62_135_596_800_001, "0000-12-31T23:59:59.999Z"),
    ])
    func aMomentIsPrintedInUTC(_ milliseconds: Int, _ text: String) {
        #expect("\(Timestamp(milliseconds: milliseconds))" == text)
    }

    @Test func theFirstAndTheLastMomentCanBePrinted() {
        #expect("\(Timestamp(milliseconds: .max))" == "292278994-08-17T07:12:55.807Z")
        #expect("\(Timestamp(milliseconds: .min))" == "-292275055-05-16T16:47:04.192Z")
    }

    @Test(arguments: [
        ("2025-11-24T16:00:00.123Z", 1_764_000_000_123), ("2025-11-24T16:00Z", 1_764_000_000_000),
        ("2025-11-24T18:30:00+02:30", 1_764_000_000_000),
        ("2025-11-24T15:00:00-01:00", 1_764_000_000_000),
        ("1970-01-01T00:00:00.5Z", 500),
    ])
    func readsTimesOfISO8601(text: String, milliseconds: Int) {
        #expect(Timestamp(text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "now", "2025-11-24", "2025-11-24T16:00", "2025-11-24T24:00Z", "2025-11-24T16:60Z",
        "2025-02-30T16:00Z", "2025-11-24T16:00:00.1234Z", "2025-11-24T16:00:00.Z",
        "2025-11-24T1:00Z",
        "2025-11-24T16:00+2", "2025-11-24T16:00Z ", "2025-11-24T16:00ZZ", "2025-11-24T+1:00Z",
    ])
    func refusesOtherTimes(text: String) { #expect(Timestamp(text) == nil) }
}
