import Homeport
import TerminalOutput

/// One call of a verb: where it writes, and whose home it works in.
struct Call: Sendable {
    /// Where it writes.
    let console: Console
    /// The server that runs the verb for another process; `nil` where the verb has the process for
    /// itself.
    var server: ServedCall?
    /// Makes the view in a browser; `nil` in a program without a web server.
    var openDashboard: DashboardOpener?
}

/// What a verb has of the server that runs it.
struct ServedCall: Sendable {
    /// The server's home, which keeps running after the call.
    let home: Home
    /// The server's view in a browser; `nil` for none.
    let dashboard: HomeDashboard?
    /// Has a value when the caller was interrupted or has gone away.
    let interruptions: AsyncStream<Void>
}
