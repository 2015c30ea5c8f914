package import DeviceDomain
internal import DeviceMessages

/// A channel that is asked for devices by the ids that they have in the home, whatever it calls them itself.
///
/// What its observers receive has the channel's own ids: from it follows which device has which.
package struct IdentifyingChannel: CommunicationChannel {
    private let base: any CommunicationChannel
    private let identities: @Sendable () -> DeviceIdentities

    /// - Parameter identities: what is known of the ids at this moment.
    package init(
        _ base: any CommunicationChannel, _ identities: @escaping @Sendable () -> DeviceIdentities
    ) {
        self.base = base
        self.identities = identities
    }

    package var id: ChannelID { base.id }
    package var kind: ChannelKind { base.kind }
    package var traits: ChannelTraits { base.traits }
    package var reportsTelemetry: Bool { base.reportsTelemetry }

    package func open() async throws(CommunicationError) { try await base.open() }

    package func close() async { await base.close() }

    package func linkStates() -> LinkStates { base.linkStates() }

    package func service(
        for device: DeviceID, in home: HomeID
    ) -> any CommunicationService {
        let local = identities().id(of: device, on: id)
        let service = base.service(for: local, in: home)
        return local == device ? service : RenamingService(service, local: local, device: device)
    }

    package func observe(
        _ home: HomeID, _ scope: HomeScope, _ sink: @escaping ObservationSink
    ) -> ChannelObservation {
        base.observe(home, named(scope), sink)
    }

    package func replay(
        _ home: HomeID, _ scope: HomeScope, known: @Sendable () async -> Set<DeviceID>
    ) async throws(CommunicationError) -> ReplayCompleteness {
        try await base.replay(home, named(scope), known: known)
    }

    package func clear(_ device: DeviceID, in home: HomeID) async throws(CommunicationError) {
        try await base.clear(identities().id(of: device, on: id), in: home)
    }

    /// Which id of a device the channel knows is found out by asking for all of them.
    private func named(_ scope: HomeScope) -> HomeScope {
        guard case .devices(let devices) = scope else { return scope }
        let identities = identities()
        return .devices(
            devices.reduce(into: []) { $0.formUnion(identities.ids(of: identities.device($1))) })
    }
}

/// A conversation with a device that its channel knows by another id than the home.
struct RenamingService: CommunicationService {
    private let base: any CommunicationService
    private let local: DeviceID
    private let device: DeviceID

    init(_ base: any CommunicationService, local: DeviceID, device: DeviceID) {
        self.base = base
        self.local = local
        self.device = device
    }

    var messages: ObservationStream {
        base.messages.mapped { [device] in $0.called(device) }
    }

    func connect(to device: any Device) async throws(CommunicationError) {
        try await base.connect(
            to: GenericDevice(profile: device.profile.called(local), report: device.report))
    }

    func prepare(_ intent: CommandIntent, sequence: Int) throws(CommunicationError)
        -> PreparedCommand
    {
        let prepared = try base.prepare(intent.addressed(to: local), sequence: sequence)
        return prepared.addressed(to: device)
    }

    func sendMessage(_ command: PreparedCommand, attempt: Int) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        try await base.sendMessage(command.addressed(to: local), attempt: attempt)
    }

    func outcomes(of commands: [CommandID]) async throws(CommunicationError)
        -> [CommandID: RecordedOutcome]
    {
        try await base.outcomes(of: commands).mapValues { $0.called(device) }
    }

    func desiredSettings() async throws(CommunicationError) -> DesiredReading {
        try await base.desiredSettings()
    }

    func keep(_ settings: DesiredSettings) async throws(CommunicationError) -> DeliveryReceipt {
        try await base.keep(settings)
    }

    func disconnect() async { await base.disconnect() }
}

extension CommandIntent {
    fileprivate func addressed(to device: DeviceID) -> CommandIntent {
        var copy = self
        copy.device = device
        return copy
    }
}

extension PreparedCommand {
    fileprivate func addressed(to device: DeviceID) -> PreparedCommand {
        PreparedCommand(
            intent: intent.addressed(to: device), channel: channel, sequence: sequence,
            payload: payload)
    }
}

extension RecordedOutcome {
    fileprivate func called(_ device: DeviceID) -> RecordedOutcome {
        guard case .known(let evidence) = self else { return self }
        return .known(evidence.called(device))
    }
}

extension DeviceObservation {
    /// The same of a device under another id.
    package func called(_ id: DeviceID) -> DeviceObservation {
        guard id != device else { return self }
        let content: Content =
            switch content {
            case .description(let profile): .description(profile.called(id))
            case .evidence(let evidence): .evidence(evidence.called(id))
            case .presence, .state, .telemetry, .event, .cleared, .removed, .problem: content
            }
        return DeviceObservation(channel: channel, home: home, device: id, content: content)
    }
}

extension CommandEvidence {
    fileprivate func called(_ id: DeviceID) -> CommandEvidence {
        var copy = self
        copy.device = id
        return copy
    }
}
