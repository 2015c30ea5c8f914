internal import Alink
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// A command that was sent, or is being sent, and whose outcome may still be learned.
struct CloudCommand: Sendable {
    /// What shows the effect.
    enum Watch: Hashable, Sendable {
        /// The property that it sets, and the value that was asked for. `since` is the time of the value that was
        /// known before.
        case property(ThingProperty, asked: JSONValue, since: Timestamp?)
        /// The device's answer to the call of a service, with these arguments as they were sent.
        case service(ThingService, arguments: String)
    }

    let id: CommandID
    let device: DeviceID
    let name: ThingName
    let watch: Watch
    /// When it was sent, by the platform's clock.
    let sentAt: Timestamp
    /// Until when its outcome is looked for, by our wall clock.
    let expiresAt: Timestamp
    /// The platform's id of the message; `nil` before its answer.
    var messageID: String?

    /// Reports of a device may be earlier than the command by this much, because two clocks take part.
    static let tolerance = Duration.seconds(1)

    /// Whether values that a device has reported show the effect.
    func isShown(by reported: [String: CloudDevice.Reported]) -> Bool {
        guard case .property(let property, let asked, let since) = watch,
            let report = reported[property.identifier],
            report.at > sentAt.advanced(by: .zero - Self.tolerance),
            since.map({ report.at > $0 }) ?? true
        else { return false }
        return property.type.shows(report.value, asked: asked)
    }

    /// What evidence of this command begins with.
    func evidence(
        _ stage: AckStage, source: CommandEvidence.Source = .bridge, code: AckCode = .ok,
        message: String = "", result: JSONObject = [:]
    ) -> CommandEvidence {
        CommandEvidence(
            id: id, device: device, source: source, stage: stage, code: code, message: message,
            result: result)
    }
}

/// The commands of a channel whose outcome may still be learned. A value type.
struct CloudCommands: Sendable {
    private var commands: [CommandID: CloudCommand] = [:]
    /// Replies that came before the platform's answer to the call, the newest last.
    private var earlyReplies: [CloudReply] = []
    private static let mostEarlyReplies = 64

    /// The command, if its outcome is not known yet.
    subscript(id: CommandID) -> CloudCommand? { commands[id] }

    /// Whether any outcome is open.
    var isEmpty: Bool { commands.isEmpty }

    /// A command is about to be sent.
    mutating func begin(_ command: CloudCommand) { commands[command.id] = command }

    /// Nothing more is looked for.
    mutating func end(_ id: CommandID) { commands[id] = nil }

    /// The platform has taken a command on.
    mutating func taken(_ id: CommandID, messageID: String?) -> [CommandEvidence] {
        guard let messageID, commands[id] != nil else { return [] }
        commands[id]?.messageID = messageID
        guard let place = earlyReplies.firstIndex(where: { $0.messageID == messageID }) else {
            return []
        }
        return received(earlyReplies.remove(at: place))
    }

    /// A reply came.
    mutating func received(_ reply: CloudReply) -> [CommandEvidence] {
        guard
            let command = commands.values.first(where: {
                $0.messageID == reply.messageID && $0.device == reply.device
            })
        else {
            earlyReplies = earlyReplies.suffix(Self.mostEarlyReplies - 1) + [reply]
            return []
        }
        guard reply.code == 200 else {
            commands[command.id] = nil
            let words = reply.message.isEmpty ? "" : " \(reply.message)"
            return [
                command.evidence(
                    .rejected, code: reply.ackCode,
                    message: "the device answered \(reply.code)\(words)")
            ]
        }
        switch command.watch {
        case .property: return [command.evidence(.accepted)]
        case .service(let service, _):
            commands[command.id] = nil
            return [
                command.evidence(.accepted),
                command.evidence(.succeeded, result: service.result(reply.data)),
            ]
        }
    }

    /// A device has reported values.
    mutating func received(
        _ reported: [String: CloudDevice.Reported], of device: DeviceID
    ) -> [CommandEvidence] {
        guard !reported.isEmpty else { return [] }
        let shown = commands.values.filter { $0.device == device && $0.isShown(by: reported) }
            .sorted { $0.id < $1.id }
        for command in shown { commands[command.id] = nil }
        return shown.map { $0.evidence(.succeeded, source: .readBack) }
    }

    /// The platform has recorded calls of a service.
    mutating func received(
        _ calls: [RecordedCall], of id: CommandID
    ) -> [CommandEvidence] {
        guard let command = commands[id], case .service(let service, let arguments) = command.watch,
            let call = calls.first(where: {
                $0.isAnswer(to: arguments)
                    && $0.at > command.sentAt.advanced(by: .zero - CloudCommand.tolerance)
            }), let output = call.output
        else { return [] }
        commands[id] = nil
        return [command.evidence(.succeeded, result: service.result(output))]
    }
}

/// The answer to a message that the platform has brought to a device.
struct CloudReply: Hashable, Sendable {
    let device: DeviceID
    let messageID: String
    /// 200 for success.
    let code: Int
    let message: String
    let data: JSONObject

    /// Why it was not carried out.
    var ackCode: AckCode {
        switch code {
        case 400, 460: .badArguments
        case 429: .throttled
        case 403: .forbidden
        case 9200, 9201, 520: .notReady
        default: .internal
        }
    }
}

/// A call of a service as `QueryDeviceServiceData` lists it.
struct RecordedCall: Hashable, Sendable {
    let at: Timestamp
    let input: JSONValue?
    /// `nil` before the device has answered.
    let output: JSONObject?

    init?(_ entry: JSONValue) {
        guard let entry = entry.object, let at = entry.time("Time") else { return nil }
        self.at = at
        input = entry["InputData"]?.decoded
        output = entry["OutputData"]?.decoded?.object
    }

    /// Whether a device has answered a call with these arguments.
    fileprivate func isAnswer(to arguments: String) -> Bool {
        output != nil && input == JSONValue.string(arguments).decoded
    }
}

extension ThingService {
    /// What a device has answered, as Homeport has it.
    func result(_ data: JSONObject) -> JSONObject {
        outputs.reduce(into: [:]) { read, field in
            read[field.identifier] = data[field.identifier].flatMap(field.type.value(ofWire:))
        }
    }
}

extension JSONValue {
    /// The JSON in a text; any other value as it is. `nil` for a text that is no JSON.
    var decoded: JSONValue? {
        guard case .string(let text) = self else { return self }
        return try? JSONReader.read(Array(text.utf8))
    }
}
