internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The commands of one channel whose result may still be observed. A value type.
struct OutstandingCommands: Sendable {
    /// An action that the channel must take.
    enum Action: Hashable, Sendable {
        /// Send `/get` with this payload to the command's device.
        case ask(CommandID, DeviceID, JSONObject)
        /// Report the result of the command, which is final.
        case tell(CommandEvidence)
    }

    private var commands: [CommandID: OutstandingCommand] = [:]
    private let timing: ReadBackTiming

    init(_ timing: ReadBackTiming) { self.timing = timing }

    /// How many commands are outstanding.
    var count: Int { commands.count }

    /// A command is about to be sent. Older commands to the same device can then no longer be confirmed if
    /// they set the same property, and the others can no longer be reported as failed.
    /// - Parameters:
    ///   - lifetime: how long the command may take to start.
    ///   - isSleepy: whether the device runs on a battery, so that it may hear the command late.
    mutating func begin(
        _ command: BridgeCommand, _ id: CommandID, arguments: JSONObject, device: DeviceID,
        name: FriendlyName, lasting lifetime: Duration = .zero, isSleepy: Bool = false
    ) {
        for other in commands.values where other.device == device {
            guard case .readBack(var readBack) = other.watch else { continue }
            readBack.isAlone = false
            let isHidden = other.property == command.property
            commands[other.id]?.watch = isHidden ? .errors : .readBack(readBack)
        }
        let expectation = command.expectation(arguments)
        commands[id] = OutstandingCommand(
            id: id, device: device, name: name, property: command.property,
            attribute: command.attribute,
            watch: expectation.map {
                .readBack(ReadBack($0, timing, lasting: lifetime, isSleepy: isSleepy))
            } ?? .errors)
    }

    /// A request is about to be sent to the bridge itself.
    mutating func beginRequest(_ id: CommandID, of bridge: DeviceID) {
        commands[id] = OutstandingCommand(
            id: id, device: bridge, name: FriendlyName(""), property: "", attribute: "",
            watch: .response)
    }

    /// Whether the device or the bridge itself will show the result of a command; the bridge's word on what it
    /// has sent does not.
    func canProve(_ id: CommandID) -> Bool {
        switch commands[id]?.watch {
        case .readBack(let readBack): readBack.expectation.question != nil
        case .response: true
        case .errors, nil: false
        }
    }

    /// Stops watching a command.
    mutating func end(_ id: CommandID) { commands[id] = nil }

    /// Stops watching every command.
    mutating func endAll() { commands = [:] }

    /// How long to wait before the next ``waited(_:)`` of a command; `nil` if it is not watched any more.
    func wait(of id: CommandID) -> Duration? {
        switch commands[id]?.watch {
        case .readBack(let readBack): readBack.nextWait
        case .errors, .response: timing.errorWindow
        case nil: nil
        }
    }

    /// The wait of a command is over.
    mutating func waited(_ id: CommandID) -> [Action] {
        guard case .readBack(var readBack) = commands[id]?.watch else {
            commands[id] = nil
            return []
        }
        let step = readBack.waited()
        commands[id]?.watch = .readBack(readBack)
        return step.map { perform($0, id) } ?? []
    }

    /// A device has published members of its state.
    mutating func received(_ members: JSONObject, of device: DeviceID) -> [Action] {
        var actions: [Action] = []
        for id in commands.values.filter({ $0.device == device }).map(\.id).sorted() {
            guard case .readBack(var readBack) = commands[id]?.watch else { continue }
            let step = readBack.received(members)
            commands[id]?.watch = .readBack(readBack)
            if let step { actions += perform(step, id) }
        }
        return actions
    }

    /// The bridge has logged an error.
    /// - Returns: the actions; `nil` if the error could be about more than one command.
    mutating func received(_ logError: BridgeLogError) -> [Action]? {
        let meant = commands.values.compactMap { command in
            command.reason(in: logError).map { (command, $0) }
        }
        guard let (command, code) = meant.first else { return [] }
        guard meant.count == 1 else { return nil }
        commands[command.id] = nil
        return [
            .tell(
                CommandEvidence(
                    id: command.id, device: command.device, source: .bridge, stage: .failed,
                    code: code, message: logError.message.brief()))
        ]
    }

    /// The bridge has responded to a request.
    mutating func received(_ response: BridgeResponse) -> [Action] {
        guard let id = response.command, let command = commands[id],
            case .response = command.watch
        else { return [] }
        commands[id] = nil
        return [.tell(response.evidence(id, of: command.device))]
    }

    private mutating func perform(_ step: ReadBack.Step, _ id: CommandID) -> [Action] {
        guard let command = commands[id], case .readBack(let readBack) = command.watch else {
            return []
        }
        let expectation = readBack.expectation
        switch step {
        case .ask(let question): return [.ask(id, command.device, question)]
        case .succeeded:
            commands[id] = nil
            return [
                .tell(
                    CommandEvidence(
                        id: id, device: command.device, source: .readBack, stage: .succeeded))
            ]
        case .published(let shown):
            commands[id] = nil
            return [.tell(Self.bridgesWord(on: expectation, shown, command))]
        case .failed(let shown):
            commands[id] = nil
            return [.tell(Self.refutation(of: expectation, shown, command))]
        case .gaveUp:
            commands[id] = nil
            return []
        }
    }

    /// The bridge publishes what it has sent, before the device has said anything.
    private static func bridgesWord(
        on expectation: Expectation, _ shown: JSONValue, _ command: OutstandingCommand
    ) -> CommandEvidence {
        CommandEvidence(
            id: command.id, device: command.device, source: .bridge, stage: .succeeded,
            message: "zigbee2mqtt reports \(expectation.proof.property) \(shown.text); the device "
                + "itself cannot be queried for it")
    }

    private static func refutation(
        of expectation: Expectation, _ shown: JSONValue, _ command: OutstandingCommand
    ) -> CommandEvidence {
        CommandEvidence(
            id: command.id, device: command.device,
            source: expectation.proof.question == nil ? .bridge : .readBack, stage: .failed,
            code: expectation.proof.isSlow ? .stuck : .internal,
            message: "asked for \(expectation.proof.property) \(expectation.value.text), "
                + "but the device reports \(shown.text)")
    }
}

extension JSONValue {
    /// The value as text for a message.
    var text: String { String(decoding: JSONWriter.write(self), as: UTF8.self).brief(80) }
}
