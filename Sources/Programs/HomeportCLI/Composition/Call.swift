import Homeport
import TerminalOutput

/// One call of a verb: where it writes, and whose home it works in.
struct Call: Sendable {
    /// Where it writes.
    var console: Console
    /// The server that runs the verb for another process; `nil` where the verb has the process for
    /// itself.
    var server: ServedCall?
    /// Makes the view in a browser; `nil` in a program without a web server.
    var openDashboard: DashboardOpener?

    /// The server that runs the verb, for one that only a server can carry out.
    /// - Parameters:
    ///   - start: the call that starts such a server.
    ///   - options: where the verb works.
    func requireServer(
        startedBy start: String, for options: VerbOptions
    ) throws(CommandLineError) -> ServedCall {
        guard let server else {
            if let silence = ServerCall.silence(for: options) {
                throw CommandLineError(.notDone, "\(silence.message); \(silence.remedy)")
            }
            throw CommandLineError(
                .notDone,
                "no 'homeport serve' of this user answers for this home, ledger and broker; start "
                    + "'\(start)'")
        }
        return server
    }

    /// Says that what was added runs in a server only, where none is known. One on another machine is not.
    func remarkThatItNeedsAServer(of home: Home) async {
        guard server == nil else { return }
        if let owner = await home.lifetime.owner(of: home.id, by: home.controller) {
            return console.note("it runs where \(home.id) is served: now \(owner) owns it")
        }
        console.note(
            "it runs while a 'homeport serve' of this ledger runs; none on this machine answers for this home "
                + "and broker")
    }
}

/// What a verb has of the server that runs it.
struct ServedCall: Sendable {
    /// The server's home, which keeps running after the call.
    let home: Home
    /// The server's view in a browser; `nil` for none.
    let dashboard: HomeDashboard?
    /// What the server has said.
    let log: ServerLog
    /// Has a value when the caller was interrupted or has gone away.
    let interruptions: AsyncStream<Void>
}
