public import Automation
internal import Connectivity
public import DeviceControl
public import DeviceMessages
public import Observation
public import SharedPresentation

/// One command: how far it has come, and why it is where it is.
@MainActor @Observable
public final class CommandViewModel {
    /// Names the command.
    public let id: CommandID
    /// What the screen shows; empty where there is no such command.
    public private(set) var state = ScreenState<Content>.loading
    /// What came of the last thing that the user did; `nil` where there is nothing to say.
    public private(set) var notice: CommandNotice?
    @ObservationIgnored private let memory: HomeMemory

    /// What is shown of a command.
    public struct Content: Hashable, Sendable {
        /// What a list shows of it.
        public let summary: CommandSummary
        /// What happened to it, and what happens next, in the words of the library.
        public let explanation: CommandExplanation
        /// The run of a rule that sent it; `nil` where no rule has.
        public let run: RecordedRun?
    }

    init(_ id: CommandID, in memory: HomeMemory) {
        self.id = id
        self.memory = memory
    }

    /// The screen has appeared, or the command may have moved: it is read again.
    public func appeared() async {
        do throws(Failure) {
            let explanation = try await memory.service.explain(id)
            let summary = memory.summary(of: explanation.record)
            let run = try await memory.service.ruleRun(ofCause: explanation.record.intent.cause)
            state = .content(Content(summary: summary, explanation: explanation, run: run))
        } catch {
            state = error.remedy == .lookAgain ? .empty : .failed(error)
        }
    }

    /// The screen stays open: the command is read again, as another process may have moved it. Where that fails, it stays
    /// as it was.
    public func readAgain() async {
        guard let shown = state.content, let explanation = try? await memory.service.explain(id),
            shown.explanation.record.progress.step < explanation.record.progress.step
        else { return }
        let summary = memory.summary(of: explanation.record)
        state = .content(Content(summary: summary, explanation: explanation, run: shown.run))
    }

    /// The command is to be taken back.
    public func cancelButtonTapped() async {
        do throws(Failure) {
            notice = try await memory.cancel(id).map(CommandNotice.notCancelled)
        } catch {
            notice = .failed(error)
        }
    }

    /// The outcome stays unknown, and the command is to be listed as open no more.
    public func putAwayButtonTapped() async {
        do throws(Failure) {
            try await memory.putAway(id)
        } catch {
            notice = .failed(error)
        }
    }

    /// Where the command stands now, as far as the app has heard or read; a view reads the explanation again
    /// when it changes.
    public var heardProgress: CommandProgress? {
        guard let content = state.content else { return nil }
        let read = content.explanation.record.progress
        let heard = memory.devices[content.summary.device]?.commands.first { $0.id == id }?.progress
        return heard.map { $0.step < read.step ? read : $0 } ?? read
    }
}
