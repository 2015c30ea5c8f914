package import Fleet

/// What all boxed devices of a run have in common.
package struct BoxedSettings: Sendable {
    /// The networks in reach.
    package var surroundings: WiFiSurroundings
    /// How long a claim may stay without its commit.
    package var failSafe: Duration
    /// The broker of a device that is given Wi-Fi and no claim.
    package var ownBroker: FleetBroker
    /// The broker that a claim names, with what that asks for beyond a certificate.
    package var broker: @Sendable (String) throws(FleetError) -> FleetBroker
    /// The version of MQTT.
    package var protocolVersion: FleetProtocolVersion
    /// How often devices sample their signals.
    package var telemetryInterval: Duration
    /// How long joining a network takes.
    package var joiningTime: Duration
    /// How long an access point stays after its device has joined a network, so that the client can ask; the
    /// default is that of Espressif's devices (CONFIG_WIFI_PROV_AUTOSTOP_TIMEOUT).
    package var lingering: Duration
    /// How long it stays after a client has asked; the default is that of Espressif's devices.
    package var delayOnceKnown: Duration
    /// What a test lets go wrong.
    package var faults: AccessPointFaults
    /// Is called with events for the user.
    package var report: @Sendable (BoxedNotice) -> Void

    package init(
        surroundings: WiFiSurroundings, failSafe: Duration, ownBroker: FleetBroker,
        broker: @escaping @Sendable (String) throws(FleetError) -> FleetBroker,
        protocolVersion: FleetProtocolVersion = .v5, telemetryInterval: Duration = .seconds(5),
        joiningTime: Duration = .milliseconds(100), lingering: Duration = .seconds(30),
        delayOnceKnown: Duration = .seconds(1),
        faults: @escaping AccessPointFaults = { _, _ in nil },
        report: @escaping @Sendable (BoxedNotice) -> Void
    ) {
        self.surroundings = surroundings
        self.failSafe = failSafe
        self.ownBroker = ownBroker
        self.broker = broker
        self.protocolVersion = protocolVersion
        self.telemetryInterval = telemetryInterval
        self.joiningTime = joiningTime
        self.lingering = lingering
        self.delayOnceKnown = delayOnceKnown
        self.faults = faults
        self.report = report
    }
}
