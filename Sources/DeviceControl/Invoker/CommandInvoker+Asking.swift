internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension CommandInvoker {
    func ask(about command: CommandID) {
        guard let id = commands[command]?.conversation else { return }
        if conversations[id]?.questions.add(command) == true { enqueue(.ask(id)) }
    }

    /// Asks a device about the commands that wait for it, one question at a time.
    func ask(in id: ConversationID) async {
        while let ids = conversations[id]?.questions.next() {
            guard let communicator = conversations[id]?.communicator else { return }
            let result = await answers(of: communicator, about: ids, in: id.channel)
            // A cancelled task may have missed the answer: the next process queries again.
            guard !Task.isCancelled else { return }
            await take(result, about: ids, in: id)
        }
    }

    /// Waits for a slot first: after a crash every device may have to be asked.
    private func answers(
        of communicator: DeviceCommunicator, about ids: [CommandID], in channel: ChannelID
    ) async -> Result<[CommandID: RecordedOutcome], CommunicationError> {
        if !questions[channel, default: SendSlots()].takeFree() {
            await withCheckedContinuation { questions[channel]?.lineUp($0) ?? $0.resume() }
        }
        defer { questions[channel]?.giveBack() }
        await noteQuestion(about: ids)
        return await communicator.answers(about: ids)
    }

    private func take(
        _ result: Result<[CommandID: RecordedOutcome], CommunicationError>,
        about ids: [CommandID], in id: ConversationID
    ) async {
        let outcomes: [CommandID: RecordedOutcome]
        switch result {
        case .success(let told): outcomes = told.filter { $0.value.isAbout($0.key) }
        case .failure(let error): return await giveUp(ids, error.message)
        }
        // An answer without any of the ids counts as no answer; otherwise this would never end.
        let told = ids.filter { outcomes[$0] != nil }
        guard !told.isEmpty else {
            return await giveUp(ids, "the answer names none of the commands")
        }
        await post(
            told.compactMap { id in outcomes[id].map { Post(.answer(.told($0)), to: id) } })
        conversations[id]?.questions.addAgain(ids.filter { outcomes[$0] == nil })
    }

    private func giveUp(_ ids: [CommandID], _ reason: String) async {
        await post(ids.map { Post(.answer(.none(reason)), to: $0) })
    }

    private func noteQuestion(about ids: [CommandID]) async {
        let now = clock.now.wall
        do {
            try await ledger.append(
                ids.map {
                    LedgerEvent(.asked, of: $0, at: now, cause: "asked what became of it")
                })
        } catch {
            counters.ledgerFailures += 1
        }
    }
}

extension DeviceCommunicator {
    fileprivate func answers(about ids: [CommandID]) async
        -> Result<[CommandID: RecordedOutcome], CommunicationError>
    {
        do {
            return .success(try await outcomes(of: ids))
        } catch {
            return .failure(error)
        }
    }
}

extension RecordedOutcome {
    /// Whether it can be the answer about a command.
    fileprivate func isAbout(_ id: CommandID) -> Bool {
        switch self {
        case .known(let evidence): evidence.id == id
        case .never, .forgotten: true
        }
    }
}
