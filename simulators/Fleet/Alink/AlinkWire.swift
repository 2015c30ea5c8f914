import Alink
import Basics
import DeviceDomain
import DeviceMessages
import DeviceSimulation
import MQTTClient

/// Translates between one device and Alink: publications to posts and replies, settings and calls to commands.
///
/// The device itself stays one of Homeport, with its rules and its record. Of its acks the first one becomes the
/// reply, as firmware replies to a call before its action is done; what becomes of the action is seen in the
/// properties.
struct AlinkWire: Sendable {
    /// How long a command may take to start that comes over Alink, which says nothing of it.
    private static let lifetime = Duration.seconds(30)
    /// Calls without a reply that are remembered.
    private static let mostCalls = 100
    private static let controller = ControllerID.literal("alink")

    /// A request that was taken up, and the commands of the device that it became.
    private struct Call {
        let id: String
        let content: AlinkTopic.Content
        var open: [CommandID]
        var refusal: AlinkReply?
    }

    let triple: AlinkTriple
    let product: AlinkProduct
    private var calls: [Call] = []
    private var sequence = 0
    private var lastMessage = 0
    private var generator: SeededGenerator

    init(_ triple: AlinkTriple, _ product: AlinkProduct, seed: UInt64) {
        self.triple = triple
        self.product = product
        generator = SeededGenerator(seed: seed)
    }

    /// By which product and name the device logs in.
    var loginName: String { "\(triple.name)" }

    // MARK: To the broker

    /// The message of a publication; `nil` for what Alink does not say, or a broker says for its devices.
    mutating func message(of publication: DevicePublication) -> MQTTMessage? {
        switch publication {
        case .description, .presence: nil
        case .state(let message): post(message.state)
        case .telemetry(let sample):
            (try? TelemetryMessage(payload: sample.payload))
                .flatMap { post($0.values, at: sample.hasWaited ? sample.at : nil) }
        case .event(let message): post(message)
        case .ack(let message, _): reply(message)
        case .altered(let original, let payload):
            message(of: original).map { message in
                var message = message
                message.payload = payload
                return message
            }
        }
    }

    /// A post of properties.
    /// - Parameter time: when they were measured; `nil` for now.
    private mutating func post(_ members: JSONObject, at time: Timestamp? = nil) -> MQTTMessage? {
        let written = members.sorted { $0.key < $1.key }.compactMap { name, value -> String? in
            guard let type = product.model.property(name)?.type,
                let text = type.wire(value.isNull ? type.valueOfNothing : value)
            else { return nil }
            return time.map { #""\#(name)":{"value":\#(text),"time":\#($0.milliseconds)}"# }
                ?? #""\#(name)":\#(text)"#
        }
        guard !written.isEmpty else { return nil }
        return request(.properties, "{\(written.joined(separator: ","))}")
    }

    private mutating func post(_ message: EventMessage) -> MQTTMessage? {
        let identifier = message.event.text.camelCase
        guard product.model.event(identifier) != nil else { return nil }
        let detail = String(decoding: JSONWriter.write(.object(message.detail)), as: UTF8.self)
        let parameters = JSONWriter.write(["value": ["detail": .string(detail)]])
        return request(.event(identifier), String(decoding: parameters, as: UTF8.self))
    }

    private mutating func request(_ content: AlinkTopic.Content, _ parameters: String)
        -> MQTTMessage?
    {
        lastMessage += 1
        return message(
            content,
            AlinkRequest.payload(
                id: "\(lastMessage)", parameters: parameters, method: content.method))
    }

    /// The reply to the call that an ack belongs to, once all of its commands have had one.
    private mutating func reply(_ ack: AckMessage) -> MQTTMessage? {
        guard let place = calls.firstIndex(where: { $0.open.contains(ack.id) }) else { return nil }
        calls[place].open.removeAll { $0 == ack.id }
        if [.rejected, .failed, .expired, .cancelled, .superseded].contains(ack.stage) {
            calls[place].refusal = AlinkReply(
                id: calls[place].id, code: ack.code.alinkCode,
                message: ack.message)
        }
        guard calls[place].open.isEmpty else { return nil }
        let call = calls.remove(at: place)
        return answer(call.refusal ?? AlinkReply(id: call.id), to: call.content)
    }

    private func answer(_ reply: AlinkReply, to content: AlinkTopic.Content) -> MQTTMessage? {
        message(.reply(content), reply.payload(to: content.method))
    }

    private func message(_ content: AlinkTopic.Content, _ payload: [UInt8]) -> MQTTMessage? {
        (try? MQTTTopic(AlinkTopic(triple.name, content).text))
            .map { MQTTMessage(topic: $0, payload: payload) }
    }

    // MARK: From the broker

    /// Reads a message.
    mutating func read(_ message: MQTTMessage, at now: Timestamp) -> IncomingMessage {
        guard let topic = AlinkTopic(message.topic.rawValue), topic.name == triple.name else {
            return IncomingMessage("other", .dropped("foreign-topic"))
        }
        switch topic.content {
        case .answer: return IncomingMessage("post_reply", .heard)
        case .setting, .service:
            guard !message.retain else {
                return IncomingMessage("command", .dropped("retained-command"))
            }
            guard let request = try? AlinkRequest(payload: message.payload),
                let parameters = request.parameters.object
            else { return IncomingMessage("command", .dropped("unreadable-command")) }
            return IncomingMessage("command", take(request.id, parameters, topic.content, at: now))
        case .properties, .event, .inquiry, .reply, .status:
            return IncomingMessage("other", .dropped("foreign-topic"))
        }
    }

    private mutating func take(
        _ id: String, _ parameters: JSONObject, _ content: AlinkTopic.Content, at now: Timestamp
    ) -> IncomingMessage.Content {
        do throws(RefusedCall) {
            let wanted = try commands(parameters, content)
            var call = Call(id: id, content: content, open: [])
            let inputs = wanted.map { command, arguments in
                sequence += 1
                let message = CommandMessage(
                    id: CommandID(at: now, using: &generator), controller: Self.controller,
                    name: command.name, arguments: arguments, issuedAt: now,
                    expiresAt: now.advanced(by: Self.lifetime), sequence: sequence)
                call.open.append(message.id)
                return DeviceInput.command(
                    payload: message.payload, retained: false,
                    responseTopic: .acks(Self.controller), lane: command.lane)
            }
            calls = calls.suffix(Self.mostCalls - 1) + [call]
            return .inputs(inputs)
        } catch {
            let reply = AlinkReply(id: id, code: AlinkCode.parameters, message: error.reason)
            return answer(reply, to: content)
                .map { IncomingMessage.Content.answered($0) } ?? .dropped("unreadable-command")
        }
    }

    /// The commands of the device that a request stands for.
    private func commands(
        _ parameters: JSONObject, _ content: AlinkTopic.Content
    ) throws(RefusedCall) -> [(CommandSpecification, JSONObject)] {
        if case .service(let identifier) = content {
            guard let command = product.services[identifier],
                let service = product.model.service(identifier)
            else { throw RefusedCall(reason: "there is no service \(identifier)") }
            var arguments: JSONObject = [:]
            for (name, value) in parameters {
                guard let field = service.inputs.first(where: { $0.identifier == name }),
                    let read = field.type.value(ofWire: value)
                else {
                    throw RefusedCall(
                        reason: "\(name) is no input of \(identifier), or has no such value")
                }
                arguments[name] = read
            }
            return [(command, arguments)]
        }
        guard !parameters.isEmpty else { throw RefusedCall(reason: "no property is given") }
        var commands: [(CommandSpecification, JSONObject)] = []
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            guard let setting = product.settings[name],
                let read = product.model.property(name)?.type.value(ofWire: value)
            else { throw RefusedCall(reason: "\(name) cannot be set, or not to this value") }
            commands.append((setting.command, [setting.argument: read]))
        }
        return commands
    }
}

/// Why a request is not taken up.
private struct RefusedCall: Error {
    let reason: String
}

extension ThingType {
    /// What stands for a value that is not there: Alink has no null.
    fileprivate var valueOfNothing: JSONValue {
        switch self {
        case .boolean: false
        case .choice(let choices): .string(choices.first?.text ?? "")
        case .integer, .real: 0
        case .text, .date: ""
        case .structure: [:]
        case .list: []
        }
    }
}

extension AckCode {
    /// The nearest code of Alink.
    fileprivate var alinkCode: Int {
        switch self {
        case .badArguments, .unknownCommand: AlinkCode.parameters
        case .throttled, .busy: AlinkCode.throttled
        case .internal, .hardwareFault, .stuck: 500
        default: AlinkCode.request
        }
    }
}

extension AlinkWire {
    /// How the device connects: signed, over MQTT 3.1.1, without a session or a will, which Alink does not know.
    func configuration(
        on broker: FleetBroker, security: MQTTSecurity, clock: FleetClock,
        reconnect: MQTTReconnectPolicy
    ) throws(MQTTError) -> MQTTConfiguration {
        let login = AlinkLogin(
            triple, timestamp: "\(clock.now.wire.milliseconds)", isEncrypted: broker.address.usesTLS
        )
        return MQTTConfiguration(
            broker: broker.address, security: security, clientID: try MQTTClientID(login.clientID),
            version: .v3_1_1, cleanStart: true,
            credentials: try MQTTCredentials(username: login.username, password: login.password),
            reconnect: reconnect)
    }
}
