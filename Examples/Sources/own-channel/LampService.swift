import Homeport
import Synchronization

/// The conversation with one lamp.
final class LampService: CommunicationService {
    let messages: ObservationStream
    private let source: StreamSource<DeviceObservation>
    private let channel: LampChannel
    private let device: DeviceID
    private let key = Mutex<Int?>(nil)

    init(channel: LampChannel, device: DeviceID) {
        (messages, source) = ObservationStream.make(.dropOldest(limit: 64))
        self.channel = channel
        self.device = device
    }

    func connect(to device: any Device) async throws(CommunicationError) {
        let begun = try channel.converse(with: self.device, source)
        key.withLock { $0 = begun }
    }

    /// The bytes tell all that ``sendMessage(_:attempt:)`` needs: a later process sends the same ones.
    func prepare(_ intent: CommandIntent, sequence: Int) throws(CommunicationError)
        -> PreparedCommand
    {
        guard LampChannel.number(of: intent.device) != nil,
            intent.name == .turnOn || intent.name == .turnOff, intent.arguments.isEmpty
        else {
            throw CommunicationError(
                .cannotExpress, "a lamp of the bus can be turned on and off only",
                certainty: .neverLeft)
        }
        return PreparedCommand(
            intent: intent, channel: channel.id, sequence: sequence,
            payload: Array((intent.name == .turnOn ? "on" : "off").utf8))
    }

    func sendMessage(_ command: PreparedCommand, attempt: Int) async throws(CommunicationError)
        -> DeliveryReceipt
    {
        try channel.requireLink()
        guard let lamp = LampChannel.number(of: command.intent.device) else {
            return .refused(.badRequest, "\(command.intent.device) is no lamp")
        }
        let isOn = command.payload == Array("on".utf8)
        do throws(LampBus.Failure) {
            try await channel.bus.set(lamp, isOn: isOn)
        } catch {
            // The bus tells for certain that no lamp was reached.
            switch error {
            case .unplugged: throw .unplugged
            case .noSuchLamp: return .refused(.badRequest, "there is no lamp \(lamp)")
            }
        }
        // What the lamp says of itself proves the effect.
        if await channel.bus.lamps[lamp] == isOn {
            channel.deliver(
                .evidence(
                    CommandEvidence(
                        id: command.id, device: command.intent.device, source: .readBack,
                        stage: .succeeded)), of: lamp)
        }
        return .confirmed
    }

    func disconnect() async {
        if let key = key.withLock({ $0 }) { channel.endConversation(key) }
        source.finish()
    }
}
