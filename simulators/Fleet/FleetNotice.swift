import MQTTClient

/// Something that whoever watches the fleet should know; its description is a line of text.
package enum FleetNotice: Sendable {
    /// Every device is connected, and the broker has its three retained topics.
    case ready(devices: Int)
    /// Devices lost the broker; they go on and reconnect.
    case brokerLost(reason: String)
    /// All devices are connected again.
    case brokerBack(devices: Int)
    /// All devices lost their connections and are connected again at the first attempt.
    case connectionsBroken(reason: String, devices: Int)
    /// Another client uses a device's id; the device slows its attempts down.
    case duplicateClient(device: String, clientID: String)
    /// Further devices have the same trouble; they are counted, not named.
    case moreOf(trouble: String)
    /// A device has left its id to the other client.
    case gaveUp(device: String, clientID: String)
    /// The broker refuses a device for good.
    case refused(device: String, reason: String)
    /// The broker does not take what a device must publish, or does not let it subscribe.
    case denied(device: String, what: String, reason: String)
    /// All devices said goodbye, but the broker did not confirm all of it in time.
    case undelivered(messages: Int)
}

extension FleetNotice: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ready(let devices):
            "ready \(devices) devices"
        case .brokerLost(let reason):
            "lost the broker: \(reason); devices go on and reconnect"
        case .brokerBack(let devices):
            "all \(devices) devices are connected again"
        case .connectionsBroken(let reason, let devices):
            "all connections broke: \(reason); all \(devices) devices are connected again"
        case .duplicateClient(let device, let clientID):
            "\(device): another client seems to use the id \(clientID): is a second homeport-sim "
                + "running with the same homes? Stop one of the two, or name other homes with "
                + "--home; until then attempts to connect slow down"
        case .moreOf(let trouble):
            "more devices: \(trouble); not named one by one"
        case .gaveUp(let device, let clientID):
            "\(device): leaves the id \(clientID) to the other client and stays offline"
        case .refused(let device, let reason):
            "\(device): the broker refuses it for good: \(reason)"
        case .denied(let device, let what, let reason):
            "\(device): the broker does not allow it to \(what): \(reason)"
        case .undelivered(let messages):
            "\(messages) messages were not confirmed by the broker before the end"
        }
    }
}
