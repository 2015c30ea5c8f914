import Glibc

/// A terminal without echo while a person types a secret. A signal that ends the program, such as that
/// of Ctrl-C, does so at once and gives the echo back first.
struct HiddenEcho {
    /// A terminal as it was.
    private struct Terminal {
        var descriptor: Int32
        var settings: termios
    }

    private static let signals = [SIGINT, SIGTERM, SIGQUIT]
    /// What the handler gives back. It is written before the handler is installed, and one secret is
    /// asked for at a time.
    nonisolated(unsafe) private static let hidden = UnsafeMutablePointer<Terminal>.allocate(
        capacity: 1)

    private let former: [(signal: Int32, action: sigaction)]

    /// Switches the echo off; `nil` where the descriptor is no terminal.
    init?(_ descriptor: Int32) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        Self.hidden.initialize(to: Terminal(descriptor: descriptor, settings: settings))
        former = Self.signals.map { number in
            var action = sigaction()
            action.__sigaction_handler.sa_handler = endWithEcho
            var former = sigaction()
            sigaction(number, &action, &former)
            return (number, former)
        }
        settings.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(descriptor, TCSAFLUSH, &settings)
    }

    /// Switches the echo on again.
    func giveBack() {
        Self.giveEchoBack()
        for (number, action) in former {
            var action = action
            sigaction(number, &action, nil)
        }
    }

    /// Calls only what a signal handler may call.
    fileprivate static func giveEchoBack() {
        tcsetattr(hidden.pointee.descriptor, TCSAFLUSH, &hidden.pointee.settings)
        _ = write(STDERR_FILENO, "\n", 1)
    }
}

/// The read that waits for a line cannot be left in another way: the signal may come to any thread.
private func endWithEcho(_ number: Int32) {
    HiddenEcho.giveEchoBack()
    signal(number, SIG_DFL)
    raise(number)
}
