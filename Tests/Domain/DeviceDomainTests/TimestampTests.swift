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
}
