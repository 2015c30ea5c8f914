package import DeviceDomain
import Glibc

/// Times for people, in the time zone of the system.
package enum LocalTime {
    /// The time of day to the millisecond.
    package static func timeOfDay(_ moment: Timestamp) -> String {
        let fraction = String(1_000 + moment.milliseconds % 1_000).dropFirst()
        return "\(text(moment, "%H:%M:%S")).\(fraction)"
    }

    /// A date and time to the second.
    @Sendable
    package static func dateAndTime(_ moment: Timestamp) -> String {
        text(moment, "%Y-%m-%d %H:%M:%S")
    }

    /// A date.
    package static func date(_ moment: Timestamp) -> String { text(moment, "%Y-%m-%d") }

    /// A date and time to the minute.
    @Sendable
    package static func dateAndMinute(_ moment: Timestamp) -> String {
        text(moment, "%Y-%m-%d %H:%M")
    }

    private static func text(_ moment: Timestamp, _ format: String) -> String {
        var seconds = time_t(moment.milliseconds / 1_000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "\(moment.milliseconds)" }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Times for programs, in UTC.
package enum UTCTime {
    /// A date and time to the millisecond, as ISO 8601 writes it: `2026-12-24T08:30:15.250Z`.
    package static func text(_ moment: Timestamp) -> String {
        let milliseconds = moment.milliseconds % 1_000
        let fraction = milliseconds < 0 ? milliseconds + 1_000 : milliseconds
        var seconds = time_t((moment.milliseconds - fraction) / 1_000)
        var parts = tm()
        guard gmtime_r(&seconds, &parts) != nil else { return "\(moment.milliseconds)" }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
        let text = String(
            decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        return "\(text).\(String(1_000 + fraction).dropFirst())Z"
    }
}
