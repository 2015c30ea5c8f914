internal import Connectivity
public import DeviceControl
internal import DeviceDomain
public import DeviceMessages

extension Home {
    /// The commands of this controller that wait for their devices, newest first. It needs no
    /// connection.
    /// - Throws: ``HomeError`` `ledger`.
    public func waitingCommands() async throws(HomeError) -> [CommandRecord] {
        let control = try await openedControl()
        do {
            return try await control.ledger.history(
                HistoryQuery(controller: controller, home: id, stage: .waiting, limit: .max))
        } catch {
            throw HomeError(error)
        }
    }

    /// Takes a command back: in the ledger while it waits, else by asking its device to stop it.
    ///
    /// What waits is taken back without a connection, whichever process waits for it.
    /// - Returns: the command as it stands after that; not `cancelled` where it could not be stopped.
    /// - Throws: ``HomeError`` `unknownCommand`, `foreignCommand`, `noConnection`, `ledger`.
    public func cancel(_ command: CommandID) async throws(HomeError) -> Cancellation {
        let control = try await openedControl()
        try await requireOwn(command)
        let record: CommandRecord
        do {
            record = try await control.invoker.withdraw(command)
        } catch {
            throw HomeError(error)
        }
        if record.state == .cancelled { return Cancellation(record: record) }
        guard !record.state.isFinal else {
            return Cancellation(
                record: record, reason: "\(command) has ended already: \(record.state.rawValue)")
        }
        if record.progress.isKept { return .refused(record) }
        try requireHere(record)
        try await takeOverOpenCommands()
        if record.state == .sending { await awaitArrival(of: command, control) }
        let receipt = try await send(
            .cancelCommand, ["id": .string(command.text)], to: record.intent.device)
        let answer = try await receipt.finished()
        let isStopped = answer.record.state == .succeeded
        let latest =
            (isStopped ? try await ended(command, control) : try await self.command(command))
            ?? record
        return Cancellation(of: latest, answer: answer.record)
    }

    /// A command of another home is that home's to change or explain.
    func requireOfHome(_ record: CommandRecord) throws(HomeError) {
        let home = record.intent.home
        guard home != id else { return }
        throw HomeError(
            .foreignCommand,
            "the command \(record.id) is of the home \(home), not of \(id); give --home \(home)")
    }

    /// Only the controller that sent a command can take it back: the device refuses any other.
    func requireOwn(_ command: CommandID) async throws(HomeError) {
        guard let record = try await self.command(command) else { return }
        try requireOfHome(record)
        let owner = record.intent.controller
        guard owner != controller else { return }
        throw HomeError(
            .foreignCommand,
            "the command \(command) is of the controller \(owner), not of \(controller); give "
                + "--controller \(owner)")
    }

    /// Waits until a command that is on its way has reached its device: what asks the device to stop it has a
    /// lane of its own, and would overtake it. Where the device is silent it is asked all the same.
    private func awaitArrival(of command: CommandID, _ control: Control) async {
        _ = try? await control.invoker.outcome(of: command, goal: .accepted, within: .seconds(1))
    }

    /// The end of a command whose device has confirmed that it stopped it, once the process that follows
    /// it has heard of it: this one, or another one that writes into the same ledger.
    private func ended(_ command: CommandID, _ control: Control) async throws(HomeError)
        -> CommandRecord?
    {
        do {
            var latest: CommandRecord?
            for _ in 0..<20 {
                latest = try await control.invoker.outcome(
                    of: command, within: .milliseconds(100)
                ).record
                guard latest?.state.isFinal != true else { break }
                // Of a command of another process the answer came at once.
                try? await Task.sleep(for: .milliseconds(100))
            }
            return latest
        } catch {
            throw HomeError(error)
        }
    }
}

/// What came of taking a command back.
public struct Cancellation: Hashable, Sendable {
    /// The command as it stands.
    public let record: CommandRecord
    /// Why it was not stopped, or why that is not known; `nil` where it was.
    public let reason: String?
    /// Whether nobody knows if the device stopped it: it was asked to, and did not answer.
    public let isUndecided: Bool

    init(record: CommandRecord, reason: String? = nil, isUndecided: Bool = false) {
        self.record = record
        self.reason = reason
        self.isUndecided = isUndecided
    }

    /// What came of asking the device.
    /// - Parameter answer: the command that asked it, as it ended.
    init(of record: CommandRecord, answer: CommandRecord) {
        let message = answer.progress.message
        let reason = message.isEmpty ? answer.state.rawValue : message
        switch (record.state, answer.state) {
        case (.cancelled, _): self.init(record: record)
        case (_, .unknown):
            self.init(
                record: record,
                reason:
                    "whether \(record.intent.device) stopped \(record.id) is not known: \(reason); "
                    + "'homeport resolve' asks it",
                isUndecided: true)
        default:
            self.init(
                record: record,
                reason: "\(record.intent.device) did not stop \(record.id): \(reason)")
        }
    }

    /// What the link keeps is for its device to apply; nothing tells whether it has done so already.
    fileprivate static func refused(_ record: CommandRecord) -> Cancellation {
        let (name, device) = (record.intent.name.rawValue, record.intent.device)
        return Cancellation(
            record: record,
            reason: "\(name) is kept for \(device), which may apply it at any time; send \(name) "
                + "with the value that you want instead")
    }
}
