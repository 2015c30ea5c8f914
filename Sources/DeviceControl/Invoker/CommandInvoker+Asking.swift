internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    func ask(about id: CommandID) {
        guard let intent = commands[id]?.lifecycle.intent else { return }
        let address = DeviceAddress(home: intent.home, device: intent.device)
        guard let conversation = conversations[address] else { return }
        conversations[address]?.questions.append(id)
        if !conversation.isInquiring {
            conversations[address]?.isInquiring = true
            enqueue(.inquire(address))
        }
    }

    /// Asks a device about the commands that wait for it, at most 100 at a time.
    func inquire(of address: DeviceAddress) async {
        while let ids = takeQuestions(for: address) {
            let answers = await answers(about: ids, from: address)
            // Who stopped listening cannot tell silence from an answer: the next process asks.
            guard !Task.isCancelled else { break }
            var unanswered: [CommandID] = []
            for id in ids {
                if let answer = answers[id] {
                    await post(.answer(answer), to: id)
                } else if answers.isEmpty {
                    await post(.answer(.none), to: id)
                } else {
                    unanswered.append(id)
                }
            }
            // What did not fit into the answer is asked for again.
            conversations[address]?.questions += unanswered
        }
        conversations[address]?.isInquiring = false
    }

    private func takeQuestions(for address: DeviceAddress) -> [CommandID]? {
        guard let waiting = conversations[address]?.questions, !waiting.isEmpty else { return nil }
        let ids = Array(waiting.prefix(CommandSpecification.queryableIDs.upperBound))
        conversations[address]?.questions.removeFirst(ids.count)
        return ids
    }

    /// One question, as a command of its own. Empty if no answer came.
    private func answers(about ids: [CommandID], from address: DeviceAddress) async
        -> [CommandID: InquiryAnswer]
    {
        let now = clock.now.wall
        let intent = CommandIntent(
            id: CommandID(at: now, using: &generator), purpose: .inquiry, controller: controller,
            home: address.home, device: address.device, name: .queryCommands,
            arguments: ["ids": .array(ids.map { .string($0.text) })], sort: .instant,
            offline: .expire(after: Self.inquiryLifetime), issuedAt: now,
            expiresAt: now.advanced(by: Self.inquiryLifetime))
        do {
            let record = try await enlist(intent)
            let end = try await outcome(of: record.id, goal: .final)
            guard end.record.state == .succeeded else { return [:] }
            return InquiryAnswer.read(end.record.progress.result, for: ids)
        } catch {
            return [:]
        }
    }
}

extension InquiryAnswer {
    /// Reads the result of `query-commands` (PROTOCOL section 5). What is malformed, or was not
    /// asked for, is left out.
    static func read(_ result: JSONObject, for ids: [CommandID]) -> [CommandID: InquiryAnswer] {
        var answers: [CommandID: InquiryAnswer] = [:]
        for entry in result["commands"]?.array ?? [] {
            guard let id = entry.object?["id"]?.string.flatMap({ CommandID($0) }),
                ids.contains(id), let answer = InquiryAnswer(entry.object ?? [:], about: id)
            else { continue }
            answers[id] = answer
        }
        return answers
    }

    private init?(_ entry: JSONObject, about id: CommandID) {
        switch entry["outcome"]?.string {
        case "never": self = .never
        case "forgotten": self = .forgotten
        case "known":
            guard let members = entry["ack"]?.object,
                let ack = try? AckMessage(members: members), ack.id == id
            else { return nil }
            self = .known(ack)
        default: return nil
        }
    }
}
