import DeviceDomain
import DeviceMessages

/// What becomes of a command (PROTOCOL section 3).
enum CommandRuling: Sendable {
    /// The same bytes came before: the stored ack is repeated.
    case repeated(JournalEntry)
    /// It is answered without an entry.
    case answered(Verdict)
    /// It is dropped, and counted as this.
    case dropped(DeviceCounter)
    /// It ends at once, with an entry.
    case ended(Verdict)
    /// It is carried out.
    case carriedOut(CommandSpecification)
}

/// Rules 3 to 5 of PROTOCOL section 3, in their order, for a command that could be read.
struct CommandRules {
    private let checks: CommandChecks
    private let profile: DeviceProfile
    private let journal: DeviceJournalState
    private let now: Timestamp

    init(of device: SimulatedDevice) {
        checks = CommandChecks(of: device)
        profile = device.output.reporter.profile
        journal = device.output.journal
        now = device.now.wire
    }

    /// What becomes of a command; nothing changes yet.
    func ruling(on command: PendingCommand) -> CommandRuling {
        if let entry = journal.entries[command.key] { return repetition(of: command, entry) }
        guard !journal.isPromised(command.key) else {
            return .ended(.rejected(.staleSession, "this id was reported as never come"))
        }
        guard command.message.expiresAt >= now else { return expiry(of: command) }
        return check(command)
    }

    /// Rule 3: the same bytes get the stored ack again, other bytes are another command under a
    /// used id.
    private func repetition(of command: PendingCommand, _ entry: JournalEntry) -> CommandRuling {
        guard entry.payload == command.arrival.payload else {
            return .answered(
                .rejected(.idReused, "the id belongs to a command of other bytes"))
        }
        return .repeated(entry)
    }

    /// Rule 4: too late to start. A command that may have run before its entry was evicted gets no
    /// new verdict.
    private func expiry(of command: PendingCommand) -> CommandRuling {
        if let watermark = journal.watermarks[command.key.controller],
            command.key.id <= watermark
        {
            return .dropped(.evictedCommand)
        }
        return .ended(
            Verdict(stage: .expired, code: .expired, message: lateness(of: command)))
    }

    private func lateness(of command: PendingCommand) -> String {
        let late = now.since(command.message.expiresAt).wholeMilliseconds
        let amount = late < 10_000 ? "\(late) ms" : "\(late / 1_000) s"
        return "came \(amount) after its expiry by the device's clock"
    }

    /// Rule 5: the checks, in their order.
    private func check(_ command: PendingCommand) -> CommandRuling {
        if let refusal = checks.envelopeRefusal(of: command) { return .ended(.rejected(refusal)) }
        guard let specification = profile.specification(of: command.message.name) else {
            return .ended(.rejected(checks.unknownCommand(command)))
        }
        if let refusal = checks.contentRefusal(of: command, specification) {
            return .ended(.rejected(refusal))
        }
        guard !command.message.dryRun else { return .ended(.succeeded()) }
        guard !journal.hasApplied(later: command.message, specification) else {
            let overtaken = "a later \(command.message.name.rawValue) was applied already"
            return .ended(
                Verdict(stage: .superseded, code: .superseded, message: overtaken))
        }
        return .carriedOut(specification)
    }
}

extension DeviceJournalState {
    /// Whether a later value of a setting of the same controller was applied already.
    fileprivate func hasApplied(
        later message: CommandMessage, _ specification: CommandSpecification
    ) -> Bool {
        guard specification.sort == .setting else { return false }
        let key = SequenceKey(setting: specification.name, controller: message.controller)
        return message.sequence < sequences[key, default: 0]
    }
}
