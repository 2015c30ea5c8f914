import Basics
import Fleet
import TerminalOutput

/// Tells people on standard error what the processes of a fleet say.
final class Announcer: Sendable {
    private let board: LiveBoard
    private let notices: Guarded<JoinedNotices>

    /// - Parameters:
    ///   - notices: what the processes have said so far.
    ///   - board: where lines are told.
    init(_ notices: JoinedNotices, on board: LiveBoard) {
        self.board = board
        self.notices = Guarded(notices)
    }

    /// Takes what one process says.
    /// - Parameter part: its number.
    func say(_ notice: FleetNotice, part: Int) {
        if let told = notices.withLock({ $0.notice(notice, of: part) }) {
            board.announce("\(told)")
        }
    }
}
