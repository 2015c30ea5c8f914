import Basics
import Fleet
import TerminalOutput

/// Tells people on standard error what the processes of a fleet say.
final class Announcer: Sendable {
    private let board: LiveBoard
    private let notices: Guarded<JoinedNotices>

    /// - Parameters:
    ///   - devices: those of all processes.
    ///   - parts: how many processes there are.
    ///   - board: where lines are told.
    init(devices: Int, parts: Int, on board: LiveBoard) {
        self.board = board
        notices = Guarded(JoinedNotices(devices: devices, parts: parts))
    }

    /// Takes what one process says.
    /// - Parameter part: its number.
    func say(_ notice: FleetNotice, part: Int) {
        if let told = notices.withLock({ $0.notice(notice, of: part) }) {
            board.announce("\(told)")
        }
    }
}
