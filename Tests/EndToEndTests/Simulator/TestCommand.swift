import DeviceDomain
import DeviceMessages
import Glibc

/// A command of the tests, with the bytes that a resend repeats.
struct TestCommand {
    let id: CommandID
    let payload: [UInt8]

    init(_ name: String, _ arguments: JSONObject = [:], sequence: Int = 1) throws {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let now = Timestamp(milliseconds: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
        var generator = SystemRandomNumberGenerator()
        id = CommandID(at: now, using: &generator)
        payload =
            CommandMessage(
                id: id, controller: try ControllerID(Listener.controller),
                name: CommandName(rawValue: name), arguments: arguments, issuedAt: now,
                expiresAt: now.advanced(by: .seconds(60)), sequence: sequence
            ).payload
    }
}
