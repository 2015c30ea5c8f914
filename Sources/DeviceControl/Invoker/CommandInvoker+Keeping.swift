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

    private func keepSettings(for command: CommandID, in id: ConversationID) async {
        guard let conversation = conversations[id], let intent = commands[command]?.lifecycle.intent
        else { return }
        if let refusal = conversation.refusal(of: intent) {
            let result = SendResult.cannotLeave(
                refusal.code, "\(id.device) has changed: \(refusal)")
            return await post(.sendEnded(result), to: command)
        }
        do throws(CommunicationError) {
            await post(
                .settings(try await conversation.communicator.desiredSettings()), to: command)
        } catch {
            return await post(.sendEnded(SendResult(error)), to: command)
        }
        guard let settings = commands[command]?.lifecycle.settingsToWrite, !Task.isCancelled
        else { return }
        if let reason = commands[command]?.unrecordedReason {
            // What is not in the ledger is not written.
            return await post(.sendEnded(.neverLeft(reason)), to: command)
        }
        await post(.sendEnded(await conversation.communicator.result(of: settings)), to: command)
    }
}

extension DeviceCommunicator {
    fileprivate func result(of settings: DesiredSettings) async -> SendResult {
        do {
            return .receipt(try await keep(settings))
        } catch {
            return SendResult(error)
        }
    }
}
