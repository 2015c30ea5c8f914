internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

extension DeviceLane {
    /// The settings that the link keeps for the device must be read for a command.
    func readSettings(for command: CommandID) {
        if settings.add(command) { followed.work.enqueue(.keepSettings(id)) }
    }

    /// Reads the settings that the link keeps for the device, and writes them, for one command after the
    /// other.
    func keepSettings() async {
        while let ids = settings.next() {
            for id in ids {
                await traffic.sends.take()
                if let command = followed[id] { await keepSettings(for: command) }
                traffic.sends.giveBack()
                guard !Task.isCancelled else { return }
            }
        }
    }

    /// Reads, writes, and reads back, until what was written is there or another writer's settings hold.
    private func keepSettings(for command: TrackedCommand) async {
        while followed[command.id] === command, command.lifecycle.awaitsSettings {
            let result = await readSettings(for: command)
            // Meanwhile the device may have told the end.
            guard command.lifecycle.awaitsSettings, !Task.isCancelled else { return }
            switch result {
            case .success(let reading):
                await followed.deliver(.settings(reading), to: command.id)
            case .failure(let error):
                await followed.deliver(.sendEnded(SendResult(error)), to: command.id)
            }
            guard let settings = command.lifecycle.settingsToWrite, !Task.isCancelled else {
                return
            }
            await followed.deliver(.sendEnded(await write(settings, for: command)), to: command.id)
            guard !Task.isCancelled else { return }
        }
    }

    private func readSettings(
        for command: TrackedCommand
    ) async -> Result<DesiredReading, CommunicationError> {
        do throws(CommunicationError) {
            var reading = try await conversation.service.desiredSettings()
            let isLate = command.lifecycle.terms.hasExpired(at: followed.clock.now)
            let step = command.lifecycle.keptSetting?.step(after: reading, isLate: isLate)
            if case .write(let next)? = step {
                reading.allotted = try await allot(next.revision)
            }
            return .success(reading)
        } catch {
            return .failure(error)
        }
    }

    /// The revision of settings that are about to be written.
    private func allot(_ revision: Int) async throws(CommunicationError) -> Int {
        do throws(LedgerError) {
            return try await followed.writer.ledger.allotRevision(
                ofSettingsFor: id.device, in: id.home, atLeast: revision)
        } catch {
            followed.writer.countFailure()
            throw CommunicationError(
                .notConnected, "the ledger gave no revision for the settings: \(error)",
                certainty: .neverLeft)
        }
    }

    /// Writes the settings, unless the ledger lacks the revision or the device has changed meanwhile.
    private func write(_ settings: DesiredSettings, for command: TrackedCommand) async
        -> SendResult
    {
        if let reason = command.unrecordedReason { return .neverLeft(reason) }
        if let refusal = conversation.refusal(of: command.lifecycle.intent) {
            return .cannotLeave(refusal.code, "\(id.device) has changed: \(refusal)")
        }
        do throws(CommunicationError) {
            return .receipt(try await conversation.service.keep(settings))
        } catch {
            return SendResult(error)
        }
    }
}
