import DeviceDomain
import DeviceMessages

// What a start makes of the record of former starts (PROTOCOL section 3).
extension SimulatedDevice {
    /// Takes up what survived: the settings and the world; ends what was interrupted; applies a
    /// setting again whose end was not recorded. The records are part of the first answer.
    mutating func restart() {
        let memory = try? JSONReader.read(journal.memory, limits: JournalRecord.limits).object
        behaviour.restore(controlled: journal.state?.controlled ?? [:], memory: memory ?? [:])
        // What happened at their beginning was told in the former boot.
        var told: [BehaviourOccurrence] = []
        for active in faults.all { behaviour.begin(fault: active.fault, noting: &told) }
        if let recorded = journal.state {
            output.setState(recorded, measured: behaviour.measured)
        }
        let unfinished = journal.unfinished
        let settings = unfinished.compactMap { entry in
            settingRequest(of: entry).map { (entry.command, $0) }
        }
        let interrupted = unfinished.filter { settingRequest(of: $0) == nil }
        settle([], by: nil, ending: interrupted.map { CommandEnding($0.command, .interrupted) })
        for (key, request) in settings { apply(setting: request, of: key) }
    }

    private func settingRequest(of entry: JournalEntry) -> BehaviourRequest? {
        guard case .command(let message) = CommandMessage.read(entry.payload),
            output.reporter.profile.specification(of: message.name)?.sort == .setting
        else { return nil }
        return BehaviourRequest(message.name, message.arguments)
    }
}

extension Verdict {
    /// The device was restarted before the command ended.
    static let interrupted = Verdict(
        stage: .failed, code: .interrupted, message: "the device was restarted before the end")
}
