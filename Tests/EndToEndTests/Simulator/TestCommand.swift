import DeviceDomain
import DeviceMessages
import Glibc

/// A command of the tests, with the bytes that a resend repeats.
struct TestCommand {
    let id: CommandID
    let payload: [UInt8]

    /// - Parameters:
    ///   - known: an id that was used before; a new one if not given.
    ///   - lifetime: from now to the expiry.
    init(
        _ name: String, _ arguments: JSONObject = [:], sequence: Int = 1,
        id known: CommandID? = nil,
        from controller: String = Listener.controller, lifetime: Duration = .seconds(60)
    ) throws {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let now = Timestamp(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
        id = known ?? CommandID(at: now)
        payload =
            CommandMessage(
                id: id, controller: try ControllerID(controller),
                name: CommandName(rawValue: name), arguments: arguments, issuedAt: now,
                expiresAt: now.advanced(by: lifetime), sequence: sequence
            ).payload
    }

    /// Its bytes with a part of their text replaced.
    func payload(replacing part: String, with other: String) -> [UInt8] {
        Array(String(decoding: payload, as: UTF8.self).replacing(part, with: other).utf8)
    }
}
