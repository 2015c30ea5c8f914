import DeviceDomain
import MQTTClient

/// What the devices of a shard hear of their broker, and what of it people are told.
struct BrokerReport {
    private let broker: FleetBroker
    private let version: FleetProtocolVersion
    var troubles = TroubleReport()
    var outage = OutageReport()
    /// Why an attempt to connect or a connection ended last.
    var lastError: MQTTError?
    /// The largest packet that the broker accepts, bytes, where its last CONNACK said so.
    var packetLimit: UInt32?

    init(of broker: FleetBroker, speaking version: FleetProtocolVersion) {
        self.broker = broker
        self.version = version
    }

    /// What happened, and the option that may help.
    func explained(_ error: MQTTError) -> String { error.message + remedy(for: error) }

    private func remedy(for error: MQTTError) -> String {
        switch (error.reasonCode, error.code, version) {
        case (.badUserNameOrPassword?, _, _), (.notAuthorized?, _, _):
            broker.hasCredentials ? "" : "; none were given: pass --credentials-file"
        case (.unsupportedProtocolVersion?, _, .v5): "; pass --mqtt-version 3.1.1"
        case (.unsupportedProtocolVersion?, _, .v311): "; pass --mqtt-version 5"
        case (nil, .connectionLost, .v311):
            "; on MQTT 3.1.1 a broker cannot say that it allows no retained messages or no QoS 1, which "
                + "the devices need: for mosquitto retain_available true and max_qos 2"
        default: ""
        }
    }

    /// The error of a broker that nobody reached within a time.
    func unreachable(within limit: Duration) -> FleetError {
        let reason =
            lastError.map(explained)
            ?? "no answer within \(limit); check that a broker listens there"
        return FleetError(
            .brokerUnreachable,
            "cannot reach \(broker): \(reason); run without --broker for a private one")
    }

    /// The error of a fleet whose devices were all refused for good.
    func refusal(atTheStart isStarting: Bool) -> FleetError {
        let reason = lastError.map(explained) ?? "no device may connect"
        return isStarting
            ? FleetError(.connectionRefused, "\(broker) refuses the fleet: \(reason)")
            : FleetError(.devicesRefused, "no device may connect any more: \(reason)")
    }

    /// The error of a broker that answers, and whose settings exclude every device.
    /// - Returns: `nil` for another reason.
    func unfitness(_ reason: MQTTReasonCode?) -> FleetError? {
        switch reason {
        case .retainNotSupported: lacking("retained messages", remedy: "retain_available true")
        case .qosNotSupported: lacking("QoS 1", remedy: "max_qos 2")
        default: nil
        }
    }

    private func lacking(_ feature: String, remedy: String) -> FleetError {
        FleetError(
            .connectionRefused,
            "\(broker) does not allow \(feature), which the devices need; for mosquitto "
                + "write \"\(remedy)\" into its configuration")
    }

    /// The error of a broker that accepts smaller packets only than a device's description takes.
    /// - Parameter size: that of the description, bytes.
    func tooSmallPackets(for device: DeviceKey, _ size: Int) -> FleetError {
        let description = "the description of \(device) has \(size)"
        let fact =
            packetLimit.map { "accepts packets of \($0) bytes, \(description)" }
            ?? "ends the connection when a device sends its description; it seems to accept smaller "
            + "packets only: \(description) bytes"
        return FleetError(
            .connectionRefused,
            "\(broker) \(fact); for mosquitto raise max_packet_size in its configuration, or leave "
                + "it out")
    }
}
