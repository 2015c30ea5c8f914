import Basics
import Glibc
import TerminalOutput

/// The lines of a running fleet on a terminal, with what is said meanwhile above them.
final class LiveBoard: Sendable {
    private struct State {
        /// What is drawn; `nil` where nothing is.
        var region: ScreenRegion?
        var lines: [String] = []
    }

    private let console: Console
    private let state = Guarded(State())

    init(on console: Console) { self.console = console }

    /// Whether it can be drawn.
    var isPossible: Bool { console.movesCursor }

    /// Whether this program has the terminal now: one that runs behind a shell must not draw over its prompt.
    var isInFront: Bool {
        let group = tcgetpgrp(STDOUT_FILENO)
        // A terminal that is not ours to control has no group for us.
        return group < 0 || group == getpgrp()
    }

    /// How lines are laid out now.
    var layout: Layout { console.layout }

    /// Says a line that stays.
    func announce(_ line: String) {
        state.withLock { state in
            guard var region = state.region, console.screen.remarksAreSeen,
                let size = console.terminalSize
            else { return console.announce(line) }
            console.draw(region.frame([], in: size) + line + "\n")
            region = ScreenRegion()
            console.draw(region.frame(state.lines, in: size))
            state.region = region
        }
    }

    /// Draws lines in the place of the former ones.
    func show(_ lines: [String]) {
        state.withLock { state in
            guard let size = console.terminalSize else { return }
            var region = state.region ?? ScreenRegion()
            console.draw(region.frame(lines, in: size))
            state = State(region: region, lines: lines)
        }
    }

    /// Leaves what is drawn, and draws nothing more.
    func finish() { state.withLock { $0 = State() } }
}
