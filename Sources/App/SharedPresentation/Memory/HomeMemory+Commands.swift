internal import Connectivity
public import DeviceControl
public import DeviceDomain
public import DeviceMessages

extension HomeMemory {
    /// How many of the latest commands are looked at for unknown outcomes.
    private static let historyDepth = 200

    /// A command was sent from here: it is shown at once, and followed to its end.
    public func follow(_ command: SentCommand) {
        show(command.record)
        sent.add(command)
    }

    /// A command is known anew.
    public func show(_ record: CommandRecord) {
        devices[record.intent.device]?.update(record)
    }

    /// Takes a command back.
    /// - Returns: why it was not stopped; `nil` where it was.
    public func cancel(_ command: CommandID) async throws(Failure) -> String? {
        let (record, reason) = try await service.cancel(command)
        show(record)
        await readOpenCommands()
        return reason
    }

    /// Puts a command away whose outcome stays unknown.
    public func putAway(_ command: CommandID) async throws(Failure) {
        show(try await service.putAway(command))
        await readOpenCommands()
    }

    func followSent() async {
        await withDiscardingTaskGroup { group in
            for await command in sent.stream {
                group.addTask {
                    for await record in command.changes { await self.note(record) }
                }
            }
            group.cancelAll()
        }
    }

    private func note(_ record: CommandRecord) async {
        show(record)
        await readOpenCommands()
    }

    func readMoved() async {
        for await _ in toReload.signals {
            for device in toReload.take() { await readCommands(of: device) }
            await readOpenCommands()
        }
    }

    /// Reads what was sent to a device.
    public func readCommands(of id: DeviceID) async {
        do {
            let records = try await service.history(
                CommandFilter(devices: [id], limit: DeviceMemory.commandLimit))
            devices[id]?.update(records)
            clearStorageFailure()
        } catch {
            note(error)
        }
    }

    /// Reads which commands wait, and which have an unknown outcome.
    public func readOpenCommands() async {
        do {
            let waiting = try await service.waitingCommands()
            let latest = try await service.history(CommandFilter(limit: Self.historyDepth))
            let undecided = latest.filter { $0.state == .unknown && !$0.progress.isPutAway }
            if self.waiting != waiting { self.waiting = waiting }
            if self.undecided != undecided { self.undecided = undecided }
            clearStorageFailure()
        } catch {
            note(error)
        }
    }

    private func note(_ failure: Failure) {
        if failure.remedy == .checkStorage { storageFailure = failure }
    }

    private func clearStorageFailure() {
        if storageFailure != nil { storageFailure = nil }
    }
}
