internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import DeviceMessages

/// Taking commands back, also with their device, and putting away those whose outcome stays unknown.
struct CommandWithdrawal: Sendable {
    /// How long the end of a command may take to be known after its device has confirmed that it stopped it.
    private static let endLimit = Duration.seconds(2)

    let commands: CommandSending

    /// Takes a command back: in the ledger while it waits, else by asking its device to stop it.
    func cancel(_ command: CommandID) async throws(HomeError) -> Cancellation {
        let storage = try await commands.lifetime.storage()
        try await requireOwn(command)
        let record: CommandRecord
        do {
            record = try await storage.invoker.withdraw(command)
        } catch {
            throw HomeError(error)
        }
        if record.state == .cancelled { return Cancellation(record: record) }
        guard !record.state.isFinal, !record.progress.isClosed else {
            return Cancellation(
                record: record, reason: "\(command) has ended already: \(record.state.rawValue)")
        }
        if record.progress.isKept { return .refused(record) }
        if try await !commands.isOwnedElsewhere() {
            try record.require(at: commands.observation.channels.map(\.setup))
            try await commands.adoption.adoptOrphanedCommands()
        }
        // What asks the device to stop it has a lane of its own, and would overtake a command that is on its way.
        // A device that is silent is asked all the same.
        if record.state == .sending {
            _ = try? await storage.invoker.outcome(
                of: command, goal: .accepted, within: .seconds(1))
        }
        let receipt: CommandReceipt
        do throws(HomeError) {
            receipt = try await commands.send(
                .cancelCommand, .values(["id": .string(command.text)]), to: record.intent.device,
                CommandOptions())
        } catch {
            guard error.code == .refusedCommand else { throw error }
            return Cancellation(
                record: record, reason: "\(command) cannot be stopped: \(error.message)")
        }
        let answer = try await receipt.finished()
        let isStopped = answer.record.state == .succeeded
        let latest =
            isStopped ? try await ended(command) : try await commands.record(of: command)
        return Cancellation(of: latest ?? record, answer: answer.record)
    }

    /// The end of a command whose device has confirmed that it stopped it.
    private func ended(_ command: CommandID) async throws(HomeError) -> CommandRecord {
        try await commands.lifetime.withStorage { storage in
            let result = try await storage.invoker.outcome(of: command, within: Self.endLimit)
            guard !result.record.state.isFinal, try await !commands.isOwnedElsewhere() else {
                return result.record
            }
            // Another process follows it, and has not heard of its end: the device tells it to this one, too.
            try await commands.adoption.ask(about: [result.record])
            return try await storage.invoker.outcome(
                of: command, goal: .noAnswerDue, within: Self.endLimit
            ).record
        }
    }

    /// Forgets a device, and takes back what waits for it: if it ever comes back, nobody expects that any more.
    /// What was kept for it is put away, as the device may have got it.
    func forget(
        _ device: DeviceID, evenIfOnline: Bool
    ) async throws(HomeError) -> ForgottenDevice {
        let observation = commands.observation
        var forgotten = try await observation.forget(device, evenIfOnline: evenIfOnline) {
            device throws(HomeError) in
            try await endCommands(for: device, \.isWaiting) { try await $0.withdraw($1) }
        }
        // While a channel keeps some of it, the device may still get the settings.
        guard forgotten.comesBack == nil else { return forgotten }
        forgotten.putAway = try await endCommands(for: forgotten.id, \.isKept) {
            try await $0.putAway($1, evenIfKept: true)
        }
        return forgotten
    }

    /// Ends commands of this controller that wait for a device in the places of this home.
    /// - Returns: those that wait no more.
    private func endCommands(
        for device: DeviceID, _ isMeant: KeyPath<CommandProgress, Bool>,
        _ end: (CommandInvoker, CommandID) async throws -> CommandRecord
    ) async throws(HomeError) -> [CommandID] {
        let observation = commands.observation
        let places = CommandPlaces(of: observation.channels.map(\.setup))
        return try await commands.lifetime.withStorage { storage in
            let waiting = try await storage.ledger.history(
                HistoryQuery(
                    home: observation.home, devices: observation.live.identities.ids(of: device),
                    stage: .waiting, limit: .max))
            var ended: [CommandID] = []
            for record in waiting.reversed()
            where record.progress[keyPath: isMeant] && places.include(record.place)
                && record.intent.controller == commands.controller
            {
                let record = try await end(storage.invoker, record.id)
                if record.state == .cancelled || record.progress.isPutAway {
                    ended.append(record.id)
                }
            }
            return ended
        }
    }

    /// Puts a command away whose outcome is unknown.
    func putAway(_ command: CommandID) async throws(HomeError) -> CommandRecord {
        guard try await commands.record(of: command) != nil else {
            throw HomeError(.unknownCommand, "the ledger has no command \(command)")
        }
        try await requireOwn(command)
        let record = try await commands.lifetime.withStorage {
            try await $0.invoker.putAway(command)
        }
        guard record.progress.isPutAway else {
            throw HomeError(
                .notUnknown,
                "\(command) is \(record.state.rawValue): only a command whose outcome is unknown is put "
                    + "away")
        }
        return record
    }

    /// Only the controller that sent a command can take it back: the device refuses any other.
    private func requireOwn(_ command: CommandID) async throws(HomeError) {
        guard let record = try await commands.record(of: command) else { return }
        try record.require(of: commands.observation.home)
        let (owner, controller) = (record.intent.controller, commands.controller)
        guard owner != controller else { return }
        throw HomeError(
            .foreignCommand,
            "the command \(command) is of the controller \(owner), not of \(controller); give "
                + "--controller \(owner)")
    }
}

extension CommandRecord {
    /// A command of another home is that home's to change or explain.
    func require(of home: HomeID) throws(HomeError) {
        let owner = intent.home
        guard owner != home else { return }
        throw HomeError(
            .foreignCommand,
            "the command \(id) is of the home \(owner), not of \(home); give --home \(owner)"
        )
    }

    /// Refuses to ask a device about a command that another one of the same name was sent.
    fileprivate func require(at channels: [ChannelSetup]) throws(HomeError) {
        let places = CommandPlaces(of: channels)
        guard let place, !places.include(place) else { return }
        throw HomeError(
            .foreignCommand,
            "\(id) was meant for \(place), and this is \(channels[0].address): name that "
                + "broker, or say that the home has moved here ('homeport queue --moved')")
    }
}
