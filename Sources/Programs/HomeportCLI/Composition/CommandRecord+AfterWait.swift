import Homeport
import TerminalOutput

extension CommandRecord {
    /// What happens to a command after its wait: who continues it, and until when.
    /// - Parameters:
    ///   - traits: what its channel can report.
    ///   - isLeft: whether the process that owns the home sends it.
    func afterWait(of call: Call, _ traits: ChannelTraits, isLeft: Bool = false) -> String {
        let device = intent.device
        if progress.isKept, state == .sent { return kept }
        if !traits.contains(.asking), progress.mayHaveLeft, !state.isFinal {
            return
                "the wait has ended; \(device) cannot be asked about the command; 'homeport show "
                + "\(device)' tells what holds"
        }
        switch state {
        case .created, .queued:
            let why = progress.message.isEmpty ? "" : " (\(progress.message))"
            return "the wait has ended; the command is still queued\(why): "
                + nextSender(after: call, isLeft: isLeft)
        case .sending, .sent:
            let next =
                isLeft
                ? "the process that owns the home"
                : call.server == nil ? "the next homeport that connects" : "homeport serve"
            return "the wait has ended without an answer of \(device); it may still start the "
                + "command until \(expiry), and \(next) asks it"
        case .accepted, .running:
            return "the wait has ended; \(device) goes on with the command"
        case .succeeded:
            return "the wait has ended: \(device) has done the command, but its state does not "
                + "show the effect yet"
        case .unknown:
            return "the wait has ended; the outcome of the command is unknown; a late answer "
                + "still shows in 'history'"
        case .failed, .rejected, .cancelled, .superseded, .refused, .expired:
            return "the command has ended"
        }
    }

    private var kept: String {
        "the wait has ended; the broker keeps the setting for \(intent.device), which has not applied it "
            + "yet; the next homeport that connects hears of it"
    }

    /// Who sends a queued command, and until when.
    func nextSender(after call: Call, isLeft: Bool = false) -> String {
        if isLeft {
            return intent.expiresAt > MachineClock.wallTime
                ? "the process that owns the home, or the next one that does, sends it when it can, until \(expiry)"
                : "it may start no more since \(expiry)"
        }
        return call.server == nil
            ? "the next homeport with this ledger that connects sends it, until \(expiry)"
            : "homeport serve sends it when it can, until \(expiry)"
    }

    private var expiry: String { LocalTime.dateAndTime(intent.expiresAt) }
}
