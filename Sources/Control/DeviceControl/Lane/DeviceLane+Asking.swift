internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension DeviceLane {
    /// The device must be asked about a command.
    func ask(about command: CommandID) {
        if questions.add(command) { followed.work.enqueue(.ask(id)) }
    }

    /// Asks the device about the commands that wait for it, one question at a time.
    func ask() async {
        while let ids = questions.next() {
            await traffic.questions.take()
            let result = await answers(about: ids)
            traffic.questions.giveBack()
            // A cancelled task may have missed the answer: the next process queries again.
            guard !Task.isCancelled else { return }
            await take(result, about: ids)
        }
    }

    private func answers(about ids: [CommandID]) async
        -> Result<[CommandID: RecordedOutcome], CommunicationError>
    {
        await followed.writer.noteQuestion(about: ids)
        do throws(CommunicationError) {
            return .success(try await conversation.service.outcomes(of: ids))
        } catch {
            return .failure(error)
        }
    }

    private func take(
        _ result: Result<[CommandID: RecordedOutcome], CommunicationError>,
        about ids: [CommandID]
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
        await followed.deliver(
            told.compactMap { id in outcomes[id].map { EventDelivery(.answer(.told($0)), to: id) } }
        )
        questions.addAgain(ids.filter { outcomes[$0] == nil })
    }

    private func giveUp(_ ids: [CommandID], _ reason: String) async {
        await followed.deliver(ids.map { EventDelivery(.answer(.none(reason)), to: $0) })
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
