internal import Basics
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The conversation of a ``ScriptedChannel`` with one device. The bytes of its commands are those
/// of the Homeport protocol.
struct ScriptedService: CommunicationService {
    let messages: ObservationStream
    private let source: StreamSource<DeviceObservation>
    private let channel: ScriptedChannel
    private let device: DeviceID
    private let home: HomeID

    init(channel: ScriptedChannel, device: DeviceID, home: HomeID) {
        (messages, source) = ObservationStream.make(.dropOldest(limit: 1_024))
        self.channel = channel
        self.device = device
        self.home = home
    }

    func connect(to device: any Device) async throws(CommunicationError) {
        try channel.connect(self.device, in: home, to: source)
    }

    func prepare(_ intent: CommandIntent, sequence: Int) throws(CommunicationError)
        -> PreparedCommand
    {
        if let error = channel.state.withLock({ $0.prepareFailure }) { throw error }
        let message = CommandMessage(
            id: intent.id, controller: intent.controller, name: intent.name,
            arguments: intent.arguments, issuedAt: intent.issuedAt, expiresAt: intent.expiresAt,
            sequence: sequence, ifRevision: intent.ifRevision, cause: intent.cause,
            dryRun: intent.isDryRun)
        return PreparedCommand(
            intent: intent, channel: channel.id, sequence: sequence, payload: message.payload)
    }

    func sendMessage(_ command: PreparedCommand, attempt: Int) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        try await channel.send(command, attempt: attempt)
    }

    func outcomes(of commands: [CommandID]) async throws(CommunicationError)
        -> [CommandID: RecordedOutcome]
    {
        try await channel.ask(about: commands)
    }

    func desiredSettings() async throws(CommunicationError) -> DesiredReading {
        try channel.desiredSettings(of: device, in: home)
    }

    func keep(_ settings: DesiredSettings) async throws(CommunicationError) -> DeliveryReceipt {
        try channel.keep(settings, for: device, in: home)
    }

    func disconnect() async { channel.disconnect(device, in: home, from: source) }
}

extension ScriptedChannel {
    func connect(_ device: DeviceID, in home: HomeID, to source: StreamSource<DeviceObservation>)
        throws(CommunicationError)
    {
        try state.withLock { state throws(CommunicationError) in
            guard state.isConnected else { throw .scriptedOutage }
            if let error = state.connectFailure { throw error }
            state.connect(ScriptedAddress(home: home, device: device), to: source)
        }
    }

    func disconnect(
        _ device: DeviceID, in home: HomeID, from source: StreamSource<DeviceObservation>
    ) {
        state.withLock { $0.disconnect(ScriptedAddress(home: home, device: device)) }
        source.finish()
    }
}
