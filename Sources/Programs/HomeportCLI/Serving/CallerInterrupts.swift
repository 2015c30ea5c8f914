import Glibc
import Synchronization

/// Tells the server of Ctrl-C and SIGTERM. The call goes on until the server has answered; a second
/// signal ends the process.
enum CallerInterrupts {
    private static let socket = Atomic<Int32>(-1)

    static func forward(to socket: Int32) {
        Self.socket.store(socket, ordering: .relaxed)
        var action = sigaction()
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
        action.__sigaction_handler.sa_handler = { _ in
            // Only what a signal handler may do: one byte into a socket. Whatever follows the request
            // interrupts the call.
            var byte = UInt8(ascii: "\n")
            _ = Glibc.write(CallerInterrupts.socket.load(ordering: .relaxed), &byte, 1)
        }
        for number in [SIGINT, SIGTERM] { sigaction(number, &action, nil) }
    }

    /// Leaves the signals to their usual effect.
    static func stop() {
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
