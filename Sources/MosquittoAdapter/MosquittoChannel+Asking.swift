internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import Logging
internal import MQTTClient
internal import MQTTLink

/// The final acknowledgement of a question, `nil` if none came in time, or why none can come.
typealias Answer = Result<AckMessage?, CommunicationError>

extension MosquittoChannel {
    /// How long a device has to answer a question.
    private static let answerDeadline = Duration.seconds(10)
    /// When a question without an answer is sent again, after its first send (PROTOCOL section 4).
    private static let resends: [Duration] = [.seconds(1), .seconds(3), .seconds(7)]

    /// Asks a device what became of commands (PROTOCOL section 5, `query-commands`).
    ///
    /// The question is a command of its own, sent with the same bytes until it is answered. It changes
    /// nothing, so it is kept nowhere.
    /// - Returns: what the device told; ids that it left out are missing.
    /// - Throws: `timedOut` if no answer came, and as `send`.
    func ask(
        _ address: DeviceAddress, about ids: [CommandID]
    ) async throws(CommunicationError) -> [CommandID: RecordedOutcome] {
        let question = question(address, ids)
        let slot = AnswerSlot<Answer>()
        questions[question.id] = slot
        let deadline = eventLoop.schedule(after: Self.answerDeadline) {
            slot.resolve(.success(nil))
        }
        let resends = Self.resends.enumerated().map { number, time in
            eventLoop.schedule(after: time) { [weak self] in
                self?.assumeIsolated { $0.publishAgain(question, attempt: number + 2) }
            }
        }
        defer {
            deadline.cancel()
            for resend in resends { resend.cancel() }
            questions[question.id] = nil
        }
        publishFirst(question, answering: slot)
        guard let ack = try await slot.value(ifCancelled: .success(nil)).get(),
            ack.stage == .succeeded
        else {
            throw CommunicationError(
                .timedOut, "\(address.device) did not answer a status query", isRetriable: true)
        }
        return RecordedOutcome.read(ack.result, for: ids)
    }

    private func question(_ address: DeviceAddress, _ ids: [CommandID]) -> PreparedCommand {
        let now = wallClock()
        var generator = SystemRandomNumberGenerator()
        let intent = CommandIntent(
            id: CommandID(at: now, using: &generator), controller: configuration.controller,
            home: address.home, device: address.device, name: .queryCommands,
            arguments: ["ids": .array(ids.map { .string($0.text) })], sort: .instant,
            issuedAt: now, expiresAt: now.advanced(by: Self.answerDeadline))
        let sequence = max(1, now.milliseconds)
        return PreparedCommand(
            intent: intent, channel: id, sequence: sequence,
            payload: CommandMessage(intent, sequence: sequence).payload)
    }

    /// The device may answer before the broker confirms, or the broker never does: the deadline holds.
    private func publishFirst(_ question: PreparedCommand, answering slot: AnswerSlot<Answer>) {
        do {
            link.publish(try wire(question, attempt: 1)) { result in
                if case .failure(let error) = result {
                    slot.resolve(.failure(CommunicationError(error)))
                }
            }
        } catch {
            slot.resolve(.failure(CommunicationError(error)))
        }
    }

    /// Nobody waits for the broker's word: the next send, or the deadline, comes anyway.
    private func publishAgain(_ question: PreparedCommand, attempt: Int) {
        guard questions[question.id] != nil else { return }
        do {
            link.publishWithoutWaiting(try wire(question, attempt: attempt))
        } catch {
            logger.debug("question not sent again", metadata: [LogKey.error: "\(error)"])
        }
    }

    /// Takes in an acknowledgement of a question; only a final one answers it.
    func answer(_ question: AnswerSlot<Answer>, _ evidence: CommandEvidence) {
        guard evidence.isFinal, let ack = try? AckMessage(payload: evidence.raw) else { return }
        question.resolve(.success(ack))
    }
}

extension RecordedOutcome {
    /// Reads the result of `query-commands`. What is malformed, or was not asked for, is left out.
    static func read(_ result: JSONObject, for ids: [CommandID]) -> [CommandID: RecordedOutcome] {
        var outcomes: [CommandID: RecordedOutcome] = [:]
        for entry in result["commands"]?.array ?? [] {
            guard let id = entry.object?["id"]?.string.flatMap({ CommandID($0) }),
                ids.contains(id), let outcome = RecordedOutcome(entry.object ?? [:], about: id)
            else { continue }
            outcomes[id] = outcome
        }
        return outcomes
    }

    private init?(_ entry: JSONObject, about id: CommandID) {
        switch entry["outcome"]?.string {
        case "never": self = .never
        case "forgotten": self = .forgotten
        case "known":
            guard let members = entry["ack"]?.object,
                let ack = try? AckMessage(members: members), ack.id == id
            else { return nil }
            self = .known(CommandEvidence(ack))
        default: return nil
        }
    }
}
