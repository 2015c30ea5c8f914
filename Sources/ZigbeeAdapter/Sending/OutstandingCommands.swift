internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The commands of one channel of which something may still be heard, as a value.
struct OutstandingCommands: Sendable {
    /// What the channel does.
    enum Action: Hashable, Sendable {
        /// Ask the device of the command.
        case ask(CommandID, DeviceID, JSONObject)
        /// Tell what became of the command. Nothing more is heard of it.
        case tell(CommandEvidence)
    }

    private var commands: [CommandID: OutstandingCommand] = [:]
    private let timing: ReadBackTiming

    init(_ timing: ReadBackTiming) { self.timing = timing }

    /// How many there are.
    var count: Int { commands.count }

    /// A command is about to be sent. Of older ones to the same device those that set the same
    /// property cannot be proven any more, and the others cannot be refuted.
    mutating func begin(
        _ command: BridgeCommand, _ id: CommandID, arguments: JSONObject, device: DeviceID,
        name: FriendlyName
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
            watch: expectation.map { .readBack(ReadBack($0, timing)) } ?? .errors)
    }

    /// A request is about to be sent to the bridge itself.
    mutating func beginRequest(_ id: CommandID, of bridge: DeviceID) {
        commands[id] = OutstandingCommand(
            id: id, device: bridge, name: FriendlyName(""), property: "", attribute: "",
            watch: .response)
    }

    /// Nothing more is to be heard of a command.
    mutating func end(_ id: CommandID) { commands[id] = nil }

    /// Nothing more is to be heard of any command.
    mutating func endAll() { commands = [:] }

    /// How long a command waits from now; `nil` if nothing is heard of it any more.
    func wait(of id: CommandID) -> Duration? {
        switch commands[id]?.watch {
        case .readBack(let readBack): readBack.nextWait
        case .errors, .response: timing.errorWindow
        case nil: nil
        }
    }

    /// A command has waited so long.
    mutating func waited(_ id: CommandID) -> [Action] {
        guard case .readBack(var readBack) = commands[id]?.watch else {
            commands[id] = nil
            return []
        }
        let step = readBack.waited()
        commands[id]?.watch = .readBack(readBack)
        return perform(step, id)
    }

    /// A device says members of its state.
    mutating func heard(_ members: JSONObject, of device: DeviceID) -> [Action] {
        var actions: [Action] = []
        for id in commands.values.filter({ $0.device == device }).map(\.id).sorted() {
            guard case .readBack(var readBack) = commands[id]?.watch else { continue }
            let step = readBack.heard(members)
            commands[id]?.watch = .readBack(readBack)
            if let step { actions += perform(step, id) }
        }
        return actions
    }

    /// The bridge complains of something.
    /// - Returns: what to do; `nil` if more than one command could be meant.
    mutating func heard(_ complaint: BridgeComplaint) -> [Action]? {
        let meant = commands.values.compactMap { command in
            command.reason(in: complaint).map { (command, $0) }
        }
        guard let (command, code) = meant.first else { return [] }
        guard meant.count == 1 else { return nil }
        commands[command.id] = nil
        return [
            .tell(
                CommandEvidence(
                    id: command.id, device: command.device, source: .bridge, stage: .failed,
                    code: code, message: complaint.message.brief()))
        ]
    }

    /// The bridge answers a request.
    mutating func heard(_ response: BridgeResponse) -> [Action] {
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
        case .ask: return [.ask(id, command.device, expectation.question)]
        case .succeeded:
            commands[id] = nil
            return [
                .tell(
                    CommandEvidence(
                        id: id, device: command.device, source: .readBack, stage: .succeeded))
            ]
        case .failed(let shown):
            commands[id] = nil
            return [.tell(Self.refutation(of: expectation, shown, command))]
        case .gaveUp:
            commands[id] = nil
            return []
        }
    }

    private static func refutation(
        of expectation: Expectation, _ shown: JSONValue, _ command: OutstandingCommand
    ) -> CommandEvidence {
        CommandEvidence(
            id: command.id, device: command.device, source: .readBack, stage: .failed,
            code: expectation.proof.isSlow ? .stuck : .internal,
            message: "asked for \(expectation.proof.property) \(expectation.value.text), "
                + "but the device says \(shown.text)")
    }
}

extension JSONValue {
    /// The value as it reads in a message.
    var text: String { String(decoding: JSONWriter.write(self), as: UTF8.self).brief(80) }
}
