internal import Alink
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The commands of one channel whose outcome may still be observed. A value type: replies and posts go in,
/// evidence comes out.
struct OutstandingCalls: Sendable {
    private var calls: [DeviceID: [OutstandingCall]] = [:]

    /// How many there are.
    var count: Int { calls.values.reduce(0) { $0 + $1.count } }

    /// A command is about to be sent.
    mutating func begin(_ call: OutstandingCall) {
        end(call)
        calls[call.device, default: []].append(call)
    }

    /// Stops watching a command.
    mutating func end(_ call: OutstandingCall) {
        calls[call.device]?.removeAll { $0.command == call.command }
        if calls[call.device]?.isEmpty == true { calls[call.device] = nil }
    }

    /// A device has replied.
    /// - Parameter asked: what the topic says that it replies to.
    /// - Returns: `nil` where no command waits for it.
    mutating func replied(
        _ reply: AlinkReply, to asked: AlinkTopic.Content, by device: DeviceID
    ) -> CommandEvidence? {
        guard
            let place = calls[device]?.firstIndex(where: {
                $0.messageID == reply.id && $0.content == asked && !$0.isAccepted
            }), let call = calls[device]?[place]
        else { return nil }
        // The device's own software did not hear of the outcome, so it may have happened.
        if reply.code == AlinkCode.timeout { return nil }
        if reply.code == AlinkReply.success, call.expected != nil {
            calls[device]?[place].isAccepted = true
            return call.evidence(.accepted)
        }
        end(call)
        guard reply.code == AlinkReply.success else { return call.refusal(reply) }
        return call.evidence(.succeeded, result: call.result(reply.data))
    }

    /// A device has posted properties.
    mutating func posted(_ values: [ReportedValue], by device: DeviceID) -> [CommandEvidence] {
        guard let waiting = calls[device] else { return [] }
        var evidence: [CommandEvidence] = []
        for call in waiting where values.contains(where: call.isShown) {
            end(call)
            evidence.append(call.evidence(.succeeded, source: .readBack))
        }
        return evidence
    }
}

extension OutstandingCall {
    /// Whether a reported value shows its effect.
    func isShown(by reported: ReportedValue) -> Bool {
        guard let effect = thing.effect, let expected, reported.identifier == effect.identifier
        else { return false }
        return (reported.time ?? issuedAt) >= issuedAt
            && effect.type.shows(reported.value, asked: expected)
    }

    func evidence(
        _ stage: AckStage, source: CommandEvidence.Source = .device, result: JSONObject = [:]
    ) -> CommandEvidence {
        CommandEvidence(id: command, device: device, source: source, stage: stage, result: result)
    }

    /// The outputs of a service as Homeport has them.
    func result(_ data: JSONObject) -> JSONObject {
        guard case .call(let service) = thing.action else { return [:] }
        return service.outputs.reduce(into: [:]) { result, field in
            result[field.identifier] =
                data[field.identifier].flatMap(field.type.value(ofWire:))
        }
    }

    /// The device's refusal, in its own words.
    func refusal(_ reply: AlinkReply) -> CommandEvidence {
        let (stage, code): (AckStage, AckCode) =
            switch reply.code {
            case AlinkCode.request: (.rejected, .badRequest)
            case AlinkCode.parameters: (.rejected, .badArguments)
            case AlinkCode.throttled: (.rejected, .throttled)
            case AlinkCode.session: (.rejected, .notReady)
            default: (.failed, .internal)
            }
        let words = reply.message.isEmpty ? "the device gave no reason" : reply.message.cut()
        return CommandEvidence(
            id: command, device: device, source: .device, stage: stage, code: code,
            message: "\(words) (code \(reply.code))")
    }
}

extension String {
    /// The text without control characters, cut to at most this many characters.
    func cut(_ limit: Int = 300) -> String {
        let plain = String(unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
        return plain.count > limit ? plain.prefix(limit - 1) + "…" : plain
    }
}
