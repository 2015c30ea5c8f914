internal import Basics
internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import Logging
internal import MQTTClient
internal import MQTTLink

/// The final acknowledgement of a query, `nil` if none came in time, or why none can come.
typealias QueryAnswer = Result<AckMessage?, CommunicationError>

extension MosquittoChannel {
    /// How long a device has to answer a query.
    private static let answerDeadline = Duration.seconds(10)
    /// When an unanswered query is sent again, counted from its first send (PROTOCOL section 4).
    private static let resends: [Duration] = [.seconds(1), .seconds(3), .seconds(7)]

    /// Queries the outcomes of commands from their device (PROTOCOL section 5, `query-commands`).
    ///
    /// The query is a command itself, resent with the same bytes until it is answered. It changes
    /// nothing on the device, so it is not stored.
    /// - Returns: the outcomes in the answer; ids that the device left out are missing.
    /// - Throws: `timedOut` if no answer came, and what `send` throws.
    func queryOutcomes(
        of ids: [CommandID], from address: DeviceAddress
    ) async throws(CommunicationError) -> [CommandID: RecordedOutcome] {
        let query = query(address, ids)
        let slot = AnswerSlot<QueryAnswer>()
        queries[query.id] = slot
        let deadline = eventLoop.schedule(after: Self.answerDeadline) {
            slot.resolve(.success(nil))
        }
        let resends = Self.resends.enumerated().map { number, time in
            eventLoop.schedule(after: time) { [weak self] in
                self?.assumeIsolated { $0.resend(query, attempt: number + 2) }
            }
        }
        defer {
            deadline.cancel()
            for resend in resends { resend.cancel() }
            queries[query.id] = nil
        }
        publish(query, answering: slot)
        let ack = try await slot.value(ifCancelled: .success(nil)).get()
        guard let ack, ack.stage == .succeeded else {
            let reason = ack.map { "it says \($0.stage.rawValue) to it" } ?? "nothing came in time"
            throw CommunicationError(.timedOut, reason, isRetriable: true)
        }
        return RecordedOutcome.read(ack.result, for: ids)
    }

    private func query(_ address: DeviceAddress, _ ids: [CommandID]) -> PreparedCommand {
        let now = wallClock()
        let intent = CommandIntent(
            id: CommandID(at: now), controller: configuration.controller,
            home: address.home, device: address.device, name: .queryCommands,
            arguments: ["ids": .array(ids.map { .string($0.text) })], sort: .instant,
            issuedAt: now, expiresAt: now.advanced(by: Self.answerDeadline))
        let sequence = max(1, now.milliseconds)
        return PreparedCommand(
            intent: intent, channel: id, sequence: sequence,
            payload: CommandMessage(intent, sequence: sequence).payload)
    }

    /// Does not wait for the broker's PUBACK: the device may answer earlier, or the PUBACK may never come.
    private func publish(_ query: PreparedCommand, answering slot: AnswerSlot<QueryAnswer>) {
        link.publish(message(query, attempt: 1)) { result in
            if case .failure(let error) = result {
                slot.resolve(.failure(CommunicationError(error)))
            }
        }
    }

    /// Ignores failures: the next resend or the deadline follows anyway.
    private func resend(_ query: PreparedCommand, attempt: Int) {
        guard queries[query.id] != nil else { return }
        link.publishWithoutWaiting(message(query, attempt: attempt))
    }

    /// An acknowledgement of a query was received; only a final one answers it.
    func answer(_ query: AnswerSlot<QueryAnswer>, with evidence: CommandEvidence) {
        guard evidence.isFinal, let ack = try? AckMessage(payload: evidence.raw) else { return }
        query.resolve(.success(ack))
    }
}

extension RecordedOutcome {
    /// Parses the result of `query-commands`. Malformed entries and other ids are left out.
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
