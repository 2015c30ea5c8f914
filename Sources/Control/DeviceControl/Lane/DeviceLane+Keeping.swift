internal import Connectivity
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
            let result = await readSettings()
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

    private func readSettings() async -> Result<DesiredReading, CommunicationError> {
        do throws(CommunicationError) {
            return .success(try await conversation.service.desiredSettings())
        } catch {
            return .failure(error)
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
