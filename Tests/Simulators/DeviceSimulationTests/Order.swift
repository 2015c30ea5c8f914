import DeviceDomain
import DeviceMessages

@testable import DeviceSimulation

/// A command in the making: valid unless a test makes it otherwise.
struct Order {
    var message: CommandMessage

    init(
        _ name: String, _ arguments: JSONObject = [:], from controller: String = "ctl-1",
        at issued: Timestamp = BenchClock().wire, valid: Duration = .seconds(30),
        sequence: Int = 1, ifRevision: Int? = nil, boot: String? = nil, dryRun: Bool = false,
        id: CommandID? = nil
    ) throws {
        message = CommandMessage(
            id: id ?? OrderIDs.next(at: issued), controller: try ControllerID(controller),
            name: CommandName(rawValue: name), arguments: arguments, issuedAt: issued,
            expiresAt: issued.advanced(by: valid), sequence: sequence, ifRevision: ifRevision,
            boot: try boot.map { try BootID($0) }, dryRun: dryRun)
    }

    var payload: [UInt8] { message.payload }
    var id: CommandID { message.id }
    var text: String { String(decoding: payload, as: UTF8.self) }
}

/// Ids that differ and rise with time.
enum OrderIDs {
    static func next(at time: Timestamp) -> CommandID {
        return CommandID(at: time)
    }
}
