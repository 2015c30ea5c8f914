import DeviceDomain
import DeviceMessages
import DeviceTopics
import MQTTClient
import TestSupport

/// What the broker has delivered: every command, ack and state, in order.
final class CommandTrace {
    /// A message that matters for a command.
    enum Entry {
        case command(CommandID, CommandName)
        case ack(AckMessage)
        case state(by: CommandID?, revision: Int)
    }

    private static let marker = "kill-points/marker"

    private let peer: MQTTPeer
    private var messages: AsyncStream<MQTTMessage>.Iterator
    private var markers = 0
    /// What was delivered until the last ``catchUp()``.
    private(set) var entries: [Entry] = []

    /// Begins to listen.
    init(_ peer: MQTTPeer) async throws {
        self.peer = peer
        messages = peer.messages.makeAsyncIterator()
        try await peer.subscribe("homeport/v1/#", Self.marker)
        try await catchUp()
    }

    /// Reads everything that the broker has delivered before this call.
    func catchUp() async throws {
        markers += 1
        let end = "\(markers)"
        try await peer.publish(Self.marker, end)
        while let message = await messages.next(isolation: nil) {
            if message.topic.rawValue == Self.marker {
                if message.payload == Array(end.utf8) { return }
            } else {
                note(message)
            }
        }
    }

    /// Reads until a message fits.
    func wait(_ isWanted: (Entry) -> Bool) async {
        while let message = await messages.next(isolation: nil) {
            note(message)
            if let last = entries.last, isWanted(last) { return }
        }
    }

    private func note(_ message: MQTTMessage) {
        guard
            let received = try? ReceivedMessage(
                topic: message.topic.rawValue, payload: message.payload)
        else { return }
        switch received.content {
        case .command(let payload, _):
            guard let command = try? CommandMessage(payload: payload) else { return }
            entries.append(.command(command.id, command.name))
        case .ack(let ack, _): entries.append(.ack(ack))
        case .state(let state): entries.append(.state(by: state.by, revision: state.revision))
        case .description, .presence, .telemetry, .event, .desired, .hello, .fence: break
        }
    }

    // MARK: What it says of a command

    /// Where a command was published.
    func publishes(of id: CommandID) -> [Int] {
        entries.indices.filter {
            if case .command(id, _) = entries[$0] { true } else { false }
        }
    }

    /// The ids of all commands of these names.
    func commands(named names: CommandName...) -> Set<CommandID> {
        Set(
            entries.compactMap { entry in
                if case .command(let id, let name) = entry, names.contains(name) { id } else { nil }
            })
    }

    /// How many states the device has reached by a command.
    func effects(of id: CommandID) -> Int {
        let revisions = entries.compactMap { entry -> Int? in
            if case .state(id, let revision) = entry { revision } else { nil }
        }
        return Set(revisions).count
    }

    /// The most executions that an ack tells of.
    func executions(of id: CommandID) -> Int {
        entries.compactMap { entry -> Int? in
            if case .ack(let ack) = entry, ack.id == id { ack.executions } else { nil }
        }.max() ?? 0
    }
}
