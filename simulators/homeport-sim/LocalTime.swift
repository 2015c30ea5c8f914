import DeviceDomain
import Glibc

/// Times for people, in the time zone of the system, as `homeport` prints them.
enum LocalTime {
    /// A date and time to the second.
    static func dateAndTime(_ moment: Timestamp) -> String {
        var seconds = time_t(moment.milliseconds / 1_000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return "\(moment)" }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M:%S", &parts)
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
