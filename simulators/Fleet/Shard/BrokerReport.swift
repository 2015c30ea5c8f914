import DeviceDomain
import MQTTClient

/// What the devices of a shard hear of their broker, and what of it people are told.
struct BrokerReport {
    private let brokers: FleetBrokers
    private let version: FleetProtocolVersion
    /// Whether each device logs in with its own triple.
    private let usesTriples: Bool
    var troubles = TroubleReport()
    /// For each broker, whether its devices have lost it.
    private var outages: [OutageReport]
    /// Whether people were told that all devices are ready.
    private(set) var hasToldReady = false
    /// Why an attempt to connect or a connection ended last.
    private(set) var lastError: MQTTError?
    /// The same of a device that was never connected.
    private var lastFirstError: MQTTError?
    /// The largest packet that the broker accepts, bytes, where its last CONNACK said so.
    private var packetLimit: UInt32?
    /// The brokers that devices of this shard use and that have accepted none of them yet, with the last error.
    private var missing: [Int: MQTTError?]
    /// The broker that was heard of last.
    private var latest: Int

    /// - Parameters:
    ///   - homes: those whose devices use the brokers.
    ///   - usesTriples: whether each device logs in with its own triple.
    init(
        of brokers: FleetBrokers, serving homes: [HomeID], speaking version: FleetProtocolVersion,
        usingTriples usesTriples: Bool = false
    ) {
        self.brokers = brokers
        self.version = version
        self.usesTriples = usesTriples
        outages = Array(repeating: OutageReport(), count: brokers.all.count)
        missing = Dictionary(
            uniqueKeysWithValues: Set(homes.map(brokers.place)).map { ($0, MQTTError?.none) })
        latest = homes.first.map(brokers.place) ?? 0
    }

    /// The broker that is told of: the one that was heard of last.
    private var broker: FleetBroker { brokers.all[latest] }

    /// Whether a broker has accepted no device yet.
    var isMissingOne: Bool { !missing.isEmpty }

    /// The broker of a home has accepted a device.
    /// - Parameter limit: the largest packet that it accepts, bytes, where it said so.
    mutating func accepted(_ home: HomeID, _ limit: UInt32?) {
        latest = brokers.place(of: home)
        missing[latest] = nil
        packetLimit = limit
    }

    /// A connection of a device of a home failed or ended.
    /// - Parameter isFirst: whether the device was never connected.
    mutating func failed(_ home: HomeID, _ error: MQTTError, isFirst: Bool) {
        latest = brokers.place(of: home)
        lastError = error
        if isFirst { lastFirstError = error }
        // A server of another protocol may also just close connections, which says less.
        if let former = missing[latest], former?.showsAnotherProtocol != true {
            missing.updateValue(error, forKey: latest)
        }
    }

    // MARK: All devices of a broker

    /// A device has become ready.
    /// - Parameter standings: those of all devices.
    /// - Returns: what is told where the devices of its broker, or all devices, are ready with it.
    mutating func becameReady(
        _ index: Int, of home: HomeID, _ standings: Standings
    ) -> FleetNotice? {
        let figures = standings.figures(ofBrokerOf: index)
        guard figures.areAllReady else { return nil }
        let place = brokers.place(of: home)
        let notice = outages[place].allReady(figures.devices, of: brokers.name(of: place))
        guard !hasToldReady, standings.ready == standings.count else { return notice }
        hasToldReady = true
        return .ready(devices: standings.count)
    }

    /// What is told where devices still try to connect for the first time.
    /// - Parameter unconnected: how many of the devices have no connection.
    func lateStart(_ unconnected: Int, of devices: Int) -> FleetNotice? {
        guard let error = lastFirstError else { return nil }
        let reason =
            error.code == .connectionLost
            ? "the broker closes their connections; look at its limit of connections (mosquitto: "
                + "max_connections) and its log" : explained(error)
        return .incomplete(unconnected: unconnected, devices: devices, reason: reason)
    }

    /// The last connection to the broker of a home was lost, or an attempt failed while there is none.
    mutating func lostAll(
        _ home: HomeID, _ error: MQTTError, wasOnline: Bool
    ) -> FleetNotice? {
        let place = brokers.place(of: home)
        guard wasOnline else { return outages[place].attemptFailed(at: brokers.name(of: place)) }
        outages[place].allLost(error.message)
        return nil
    }

    /// Another client took the connection of a device of a home over.
    mutating func tookOver(_ home: HomeID) { outages[brokers.place(of: home)].takenOver() }

    // MARK: Errors

    /// What happened, and the option that may help.
    func explained(_ error: MQTTError) -> String { error.message + remedy(for: error) }

    private func remedy(for error: MQTTError) -> String {
        switch (error.reasonCode, error.code, version) {
        case (.badUserNameOrPassword?, _, _) where usesTriples,
            (.notAuthorized?, _, _) where usesTriples:
            "; the line of the device in the file of --triples must be the same as in the broker's "
                + "plugin_opt_triples, and the broker must have the plugin (docs/alink.md)"
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
    /// - Parameter limit: `nil` where the run ended before.
    func unreachable(within limit: Duration?) -> FleetError {
        let first = missing.min { $0.key < $1.key }
        let error = first.map(\.value) ?? lastError
        let time = limit.map { "within \($0)" } ?? "before the end of the run"
        let reason =
            error.map(explained) ?? "no answer \(time); check that a broker listens there"
        return FleetError(
            .brokerUnreachable,
            "cannot reach \(brokers.all[first?.key ?? latest]): \(reason); run without --broker for "
                + "a private one")
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

extension MQTTError {
    /// Whether what came is no MQTT packet, or only the beginning of one: the end of a connection within a packet has
    /// the system error 0.
    fileprivate var showsAnotherProtocol: Bool { code == .protocolViolation || systemError == 0 }
}
