internal import Connectivity
internal import ZigbeeAdapter

/// Whether a zigbee2mqtt bridge runs, and its device list can be read. It sends no command.
struct ZigbeeCheck: Sendable {
    /// The broker, as messages name it.
    let address: String

    /// Connects and reads what the bridge retains. That the broker cannot be reached is told with the connection.
    func findings(over channel: ZigbeeChannel) async -> [Finding] {
        do throws(CommunicationError) {
            let (fault, devices) = try await channel.look(at: channel.home) {
                (await channel.fault, await channel.deviceCount)
            }
            return [Self.finding(fault, devices, address)]
        } catch {
            guard error.code == .notPermitted else { return [] }
            return [
                .problem(
                    .zigbeeBridge, "\(address): \(error)",
                    remedy: "follow the advice, then run doctor again")
            ]
        }
    }

    private static func finding(_ fault: BridgeFault?, _ devices: Int, _ address: String) -> Finding
    {
        guard let fault else {
            return .ok(
                .zigbeeBridge, "the zigbee2mqtt bridge on \(address) lists \(devices) devices")
        }
        return .problem(.zigbeeBridge, "\(address): \(fault.reason)", remedy: fault.remedy)
    }
}

extension Finding.Check {
    /// Whether a zigbee2mqtt bridge runs, and its device list can be read.
    public static let zigbeeBridge = Finding.Check(rawValue: "zigbee-bridge")
}
