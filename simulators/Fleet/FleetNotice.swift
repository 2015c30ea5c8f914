package import DeviceDomain
package import DeviceSimulation

/// An event that is reported to the user; its description is one line of text.
package enum FleetNotice: Sendable {
    /// Every device is connected, and the broker has its three retained topics.
    case ready(devices: Int)
    /// Some time after the start devices still try to connect for the first time.
    case incomplete(unconnected: Int, devices: Int, reason: String)
    /// All devices of a broker lost it; they keep running and reconnect. It has a name where there are several.
    case brokerLost(broker: String?, reason: String)
    /// All devices of a broker are connected again.
    case brokerBack(broker: String?, devices: Int)
    /// All devices of a broker lost their connections and are connected again at the first attempt.
    case connectionsBroken(broker: String?, reason: String, devices: Int)
    /// Another client uses a device's client id; the device reconnects less often.
    case duplicateClient(device: String, clientID: String)
    /// Further devices have the same problem; they are not named one by one.
    case moreOf(trouble: String)
    /// A device stops connecting because another client keeps using its client id.
    case gaveUp(device: String, clientID: String)
    /// The broker refuses a device permanently.
    case refused(device: String, reason: String)
    /// The broker denies a device a publish or a subscription.
    case denied(device: String, what: String, reason: String)
    /// The claim by which a device came into its home was committed.
    case claimCommitted(device: String, claim: ClaimNonce)
    /// An invariant of the world did not hold: the first time for this device.
    case violated(InvariantViolation)
    /// The machine is too slow for the speed of the world; so many world seconds per second are reached.
    case behind(reached: Double, wanted: Double)
    /// Devices have caught up with the world clock.
    case caughtUp(speed: Double)
    /// What another process of the fleet says.
    case told(String)
    /// Devices went offline, but the broker did not confirm all of their messages in time.
    case undelivered(messages: Int)
}

extension FleetNotice: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ready(let devices):
            "ready \(devices) devices"
        case .incomplete(let unconnected, let devices, let reason):
            "\(devices - unconnected) of \(devices) devices are connected; the others try again: "
                + reason
        case .brokerLost(let broker, let reason):
            "lost the broker\(broker.map { " \($0)" } ?? ""): \(reason); "
                + "\(broker == nil ? "" : "its ")devices keep running and reconnect"
        case .brokerBack(let broker, let devices):
            "all \(devices) devices\(Self.place(broker)) are connected again"
        case .connectionsBroken(let broker, let reason, let devices):
            "all connections\(broker.map { " to \($0)" } ?? "") broke: \(reason); "
                + "all \(devices) devices\(Self.place(broker)) are connected again"
        case .duplicateClient(let device, let clientID):
            "\(device): another client seems to use the id \(clientID): is a second homeport-sim "
                + "running with the same homes? Stop one of the two, or name other homes with "
                + "--home; until then attempts to connect slow down"
        case .moreOf(let trouble):
            "more devices: \(trouble); not named one by one"
        case .gaveUp(let device, let clientID):
            "\(device): gives up: another client keeps using the id \(clientID); stays offline"
        case .refused(let device, let reason):
            "\(device): the broker refuses it permanently: \(reason)"
        case .denied(let device, let what, let reason):
            "\(device): the broker does not allow it to \(what): \(reason)"
        case .claimCommitted(let device, _):
            "\(device): its claim is committed; it stays in the home"
        case .violated(let violation):
            "\(violation.home)/\(violation.device): \(violation.invariant.name) did not hold at "
                + "\(violation.at): \(violation.text)"
        case .behind(let reached, let wanted):
            "this machine does not keep up with --speed \(Saturation.text(wanted)): it reaches "
                + "\(Saturation.text(reached)); samples come late and keep their stamps"
        case .caughtUp(let speed):
            "this machine keeps up with --speed \(Saturation.text(speed)) again"
        case .told(let text): text
        case .undelivered(let messages):
            "\(messages) messages were not confirmed by the broker before the end"
        }
    }

    /// Such as ` of mqtt://127.0.0.1:1884`.
    private static func place(_ broker: String?) -> String { broker.map { " of \($0)" } ?? "" }
}
