internal import Connectivity
internal import DeviceMessages

extension CommandInvoker {
    func readSettings(for command: CommandID) {
        guard let id = commands[command]?.conversation else { return }
        if conversations[id]?.settings.add(command) == true { enqueue(.keepSettings(id)) }
    }

    /// Reads the settings that the link keeps for a device, and writes them, for one command after the
    /// other.
    func keepSettings(in id: ConversationID) async {
        while let commands = conversations[id]?.settings.next() {
            for command in commands {
                await takeSlot(of: id.channel)
                await keepSettings(for: command, in: id)
                sends[id.channel]?.giveBack()
                guard !Task.isCancelled else { return }
            }
        }
    }

    /// Reads, writes, and reads back, until what was written is there or another writer's settings hold.
    private func keepSettings(for command: CommandID, in id: ConversationID) async {
        while let conversation = conversations[id], awaitsSettings(command) {
            let result = await conversation.communicator.readSettings()
            // Meanwhile the device may have told the end.
            guard awaitsSettings(command), !Task.isCancelled else { return }
            switch result {
            case .success(let reading): await post(.settings(reading), to: command)
            case .failure(let error): await post(.sendEnded(SendResult(error)), to: command)
            }
            guard let settings = commands[command]?.lifecycle.settingsToWrite, !Task.isCancelled
            else { return }
            await post(.sendEnded(await write(settings, for: command, in: id)), to: command)
            guard !Task.isCancelled else { return }
        }
    }

    private func awaitsSettings(_ command: CommandID) -> Bool {
        commands[command]?.lifecycle.awaitsSettings == true
    }

    /// Writes the settings, unless the ledger lacks the revision or the device has changed meanwhile.
    private func write(
        _ settings: DesiredSettings, for command: CommandID, in id: ConversationID
    ) async -> SendResult {
        guard let conversation = conversations[id], let tracked = commands[command] else {
            return .neverLeft("")
        }
        if let reason = tracked.unrecordedReason { return .neverLeft(reason) }
        if let refusal = conversation.refusal(of: tracked.lifecycle.intent) {
            return .cannotLeave(refusal.code, "\(id.device) has changed: \(refusal)")
        }
        return await conversation.communicator.result(of: settings)
    }
}

extension DeviceCommunicator {
    fileprivate func readSettings() async -> Result<DesiredReading, CommunicationError> {
        do {
            return .success(try await desiredSettings())
        } catch {
            return .failure(error)
        }
    }

    fileprivate func result(of settings: DesiredSettings) async -> SendResult {
        do {
            return .receipt(try await keep(settings))
        } catch {
            return SendResult(error)
        }
    }
}
