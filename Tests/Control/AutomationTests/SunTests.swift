import DeviceDomain
import Testing

@testable import Automation

/// Sunrise and sunset against published tables.
@Suite struct SunTests {
    /// Tables of the US Naval Observatory (aa.usno.navy.mil), to the minute: a place, a date in UTC, and when the sun
    /// rises and sets there on that date (UTC).
    static let published: [(Double, Double, String, String, String)] = [
        // Anchorage
        (61.216667, -149.866667, "2020-01-05", "19:11", "00:57"),
        (61.216667, -149.866667, "2020-02-05", "18:10", "02:15"),
        (61.216667, -149.866667, "2020-03-05", "16:46", "03:35"),
        (61.216667, -149.866667, "2020-04-05", "15:08", "04:55"),
        (61.216667, -149.866667, "2020-05-05", "13:37", "06:14"),
        (61.216667, -149.866667, "2020-06-05", "12:29", "07:27"),
        (61.216667, -149.866667, "2020-06-25", "12:22", "07:42"),
        (61.216667, -149.866667, "2020-07-05", "12:34", "07:35"),
        (61.216667, -149.866667, "2020-08-05", "13:44", "06:28"),
        (61.216667, -149.866667, "2020-09-05", "15:03", "04:54"),
        (61.216667, -149.866667, "2020-10-05", "16:18", "03:19"),
        (61.216667, -149.866667, "2020-11-05", "17:40", "01:48"),
        (61.216667, -149.866667, "2020-12-15", "19:10", "00:40"),
        // Auckland
        (-36.833333, 174.8, "2020-01-05", "17:09", "07:44"),
        (-36.833333, 174.8, "2020-02-05", "17:41", "07:29"),
        (-36.833333, 174.8, "2020-03-05", "18:11", "06:54"),
        (-36.833333, 174.8, "2020-04-05", "18:39", "06:09"),
        (-36.833333, 174.8, "2020-05-05", "19:04", "05:31"),
        (-36.833333, 174.8, "2020-06-05", "19:28", "05:11"),
        (-36.833333, 174.8, "2020-07-05", "19:34", "05:17"),
        (-36.833333, 174.8, "2020-08-05", "19:14", "05:39"),
        (-36.833333, 174.8, "2020-09-05", "18:34", "06:04"),
        (-36.833333, 174.8, "2020-10-05", "17:49", "06:28"),
        (-36.833333, 174.8, "2020-11-05", "17:10", "06:58"),
        (-36.833333, 174.8, "2020-12-25", "17:01", "07:41"),
        // Brasilia
        (-15.8, -47.85, "2020-01-05", "08:46", "21:48"),
        (-15.8, -47.85, "2020-02-25", "09:10", "21:38"),
        (-15.8, -47.85, "2020-03-25", "09:16", "21:18"),
        (-15.8, -47.85, "2020-04-25", "09:21", "20:57"),
        (-15.8, -47.85, "2020-05-25", "09:30", "20:47"),
        (-15.8, -47.85, "2020-06-25", "09:38", "20:50"),
        (-15.8, -47.85, "2020-07-25", "09:37", "20:59"),
        (-15.8, -47.85, "2020-08-25", "09:22", "21:05"),
        (-15.8, -47.85, "2020-09-25", "08:58", "21:08"),
        (-15.8, -47.85, "2020-10-25", "08:38", "21:13"),
        (-15.8, -47.85, "2020-11-25", "08:30", "21:27"),
        (-15.8, -47.85, "2020-12-25", "08:40", "21:44"),
        // Singapore
        (1.283333, 103.833333, "2020-01-15", "23:12", "11:15"),
        (1.283333, 103.833333, "2020-02-15", "23:17", "11:21"),
        (1.283333, 103.833333, "2020-03-15", "23:10", "11:17"),
        (1.283333, 103.833333, "2020-04-15", "23:00", "11:09"),
        (1.283333, 103.833333, "2020-05-15", "22:56", "11:06"),
        (1.283333, 103.833333, "2020-06-15", "23:00", "11:11"),
        (1.283333, 103.833333, "2020-07-15", "23:05", "11:16"),
        (1.283333, 103.833333, "2020-08-15", "23:04", "11:14"),
        (1.283333, 103.833333, "2020-09-15", "22:56", "11:03"),
        (1.283333, 103.833333, "2020-10-15", "22:48", "10:53"),
        (1.283333, 103.833333, "2020-11-15", "22:48", "10:51"),
        (1.283333, 103.833333, "2020-12-15", "22:59", "11:01"),
    ]

    @Test(arguments: published)
    func itAgreesWithTheTables(
        latitude: Double, longitude: Double, date: String, sunrise: String, sunset: String
    ) throws {
        let place = try #require(GeographicPlace(latitude: latitude, longitude: longitude))
        let day = try #require(CalendarDate(date)).daysSinceEpoch * 86_400
        for (event, time) in [(SunEvent.sunrise, sunrise), (.sunset, sunset)] {
            let midnight = Timestamp(milliseconds: day * 1_000)
            let next = try #require(place.next(event, after: midnight))
            let published = try #require(TimeOfDay(time)).minutes * 60
            let difference = next.since(midnight).seconds - Double(published)
            #expect(difference.magnitude <= 60, "\(event) \(next)")
        }
    }

    @Test func thereAreDaysWithoutASunrise() throws {
        let tromso = try #require(GeographicPlace(latitude: 69.65, longitude: 18.96))
        let winter = try #require(CalendarDate("2025-12-21"))
        let summer = try #require(CalendarDate("2025-06-21"))
        #expect(tromso.moment(of: .sunrise, on: winter) == nil)
        #expect(tromso.moment(of: .sunset, on: summer) == nil)
        // The sun is back in the middle of January.
        let midwinter = try #require(Timestamp("2025-12-21T12:00Z"))
        let next = try #require(tromso.next(.sunrise, after: midwinter))
        #expect((20...30).contains(next.since(midwinter).seconds / 86_400))
    }

    @Test func theNextOneIsAfterTheMoment() throws {
        let place = try #require(GeographicPlace(latitude: 61.216667, longitude: -149.866667))
        var moment = try #require(Timestamp("2020-01-01T00:00Z"))
        var count = 0
        let end = try #require(Timestamp("2021-01-01T00:00Z"))
        while moment < end {
            let next = try #require(place.next(.sunset, after: moment))
            #expect(next > moment)
            moment = next
            count += 1
        }
        #expect((366...367).contains(count))
    }

    @Test func aPoleHasOneLongDay() throws {
        let pole = try #require(GeographicPlace(latitude: 90, longitude: 0))
        #expect(pole.next(.sunrise, after: Timestamp(milliseconds: 1_764_000_000_000)) == nil)
    }

    @Test func aPlaceIsOnTheEarth() {
        #expect(GeographicPlace(latitude: 90.1, longitude: 0) == nil)
        #expect(GeographicPlace(latitude: 0, longitude: -181) == nil)
        #expect(GeographicPlace(latitude: .nan, longitude: 0) == nil)
    }
}
