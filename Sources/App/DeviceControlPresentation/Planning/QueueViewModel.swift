public import DeviceMessages
public import Observation
public import SharedPresentation

/// The commands that wait for devices that are away, and those whose outcome is unknown.
@MainActor @Observable
public final class QueueViewModel {
    /// What is shown.
    public struct Content: Hashable, Sendable {
        /// Commands that wait, newest first.
        public let waiting: [CommandSummary]
        /// Commands whose outcome is unknown, newest first.
        public let undecided: [CommandSummary]
    }

    /// Why a command was not taken back; `nil` where there is nothing to say.
    public private(set) var notice: CommandNotice?
    @ObservationIgnored private let memory: HomeMemory

    init(_ memory: HomeMemory) { self.memory = memory }

    /// What the screen shows.
    public var state: ScreenState<Content> {
        if let failure = memory.storageFailure { return .failed(failure) }
        guard memory.isRecalled else { return .loading }
        guard !memory.waiting.isEmpty || !memory.undecided.isEmpty else { return .empty }
        return .content(
            Content(
                waiting: memory.waiting.map(memory.summary(of:)),
                undecided: memory.undecided.map(memory.summary(of:))))
    }

    /// The screen has appeared: it is read again.
    public func appeared() async { await memory.readOpenCommands() }

    /// A command is to be taken back.
    public func cancelButtonTapped(_ command: CommandID) async {
        do throws(Failure) {
            notice = try await memory.cancel(command).map(CommandNotice.notCancelled)
        } catch {
            notice = .failed(error)
        }
    }
}
