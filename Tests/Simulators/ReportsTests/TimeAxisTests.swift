import DeviceDomain
import Testing

@testable import Reports

/// The times below a chart.
@Suite struct TimeAxisTests {
    private func texts(from start: String, seconds: Double) throws -> [String] {
        let axis = TimeAxis(start: try #require(Timestamp(start)), seconds: seconds)
        return "\(axis.markup)".split(separator: "<span").dropFirst().compactMap { part in
            part.split(separator: ">").dropFirst().first.map { String($0.prefix { $0 != "<" }) }
        }
    }

    @Test(arguments: [
        (
            "2026-06-21T06:00:00Z", 5.0,
            ["06:00:00", "06:00:01", "06:00:02", "06:00:03", "06:00:04", "06:00:05"]
        ),
        (
            "2026-06-21T06:00:07Z", 60,
            ["06:00:10", "06:00:20", "06:00:30", "06:00:40", "06:00:50", "06:01:00"]
        ),
        (
            "2026-06-21T06:00:07Z", 150,
            ["06:00:30", "06:01:00", "06:01:30", "06:02:00", "06:02:30"]
        ),
        ("2026-06-21T06:03:00Z", 3600, ["06:10", "06:20", "06:30", "06:40", "06:50", "07:00"]),
        ("2026-06-21T18:00:00Z", 7200, ["18:00", "18:30", "19:00", "19:30", "20:00"]),
        ("2026-06-21T00:00:00Z", 86_400, ["00:00", "06:00", "12:00", "18:00", "00:00"]),
        (
            "2026-06-21T05:00:00Z", 259_200,
            [
                "06-21 12:00", "06-22 00:00", "06-22 12:00", "06-23 00:00", "06-23 12:00",
                "06-24 00:00",
            ]
        ),
        ("2026-06-01T05:00:00Z", 864_000, ["06-02", "06-04", "06-06", "06-08", "06-10"]),
    ])
    func timesAreRound(start: String, seconds: Double, expected: [String]) throws {
        #expect(try texts(from: start, seconds: seconds) == expected)
    }

    /// However long the run is, there are some times, and they have room.
    @Test func thereAreNeitherTooManyNorTooFew() throws {
        let start = try #require(Timestamp("2026-06-21T06:07:11Z"))
        for seconds in stride(from: 3.0, to: 4_000_000, by: 997) {
            let count = TimeAxis(start: start, seconds: seconds).marks.count
            #expect((2...7).contains(count), "\(seconds): \(count)")
        }
    }
}
