package import ArgumentParser
import Glibc

/// The controller's command line.
package struct HomeportCommand: AsyncParsableCommand {
    static let name = "homeport"
    static let version = "0.1.0"
    package static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Controls the devices of a home over MQTT.",
        discussion: """
            Results go to stdout, all else to stderr. Example:

              homeport send sweeper-1 start-cleaning 'rooms=[1,2]' passes=2 --wait final
            """,
        version: version, subcommands: verbs + groups)

    private static let verbs: [any Verb.Type] = [
        DevicesVerb.self, ShowVerb.self, WatchVerb.self, SendVerb.self, HistoryVerb.self,
        ExplainVerb.self, ResolveVerb.self, QueueVerb.self, CancelVerb.self, UndoVerb.self,
        RedoVerb.self, AuditVerb.self, ChannelsVerb.self, ServeVerb.self,
        DashboardVerb.self, DoctorVerb.self,
        KeychainVerb.self, ProvisionVerb.self, ForgetVerb.self,
    ]
    private static let groups: [any VerbGroup.Type] = [ScheduleCommand.self, IdentityCommand.self]

    package init() {}

    /// Runs the program.
    /// - Parameter dashboard: what `serve` shows the home in browsers with; `nil` in a program without.
    package static func main(dashboard: (any DashboardServer.Type)?) async {
        await LinkedDashboard.$type.withValue(dashboard) { await main() }
    }

    package static func main() async {
        // A closed pipe on stdout must not kill the program while a command is under way.
        signal(SIGPIPE, SIG_IGN)
        // Nor must the limit on file sizes (ulimit -f), which the ledger may reach.
        signal(SIGXFSZ, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        if let status = ServerCall(words)?.run() {
            if status == VerbStatus.interrupted.rawValue { Interrupts.endProgram() }
            Glibc.exit(status)
        }
        do {
            if let verb = verb(words) {
                try await verb.execute()
            } else {
                try await runAsRoot(words)
            }
        } catch {
            leave(for: error, words)
        }
    }

    /// The verb that is named first, parsed by itself: without its siblings, and without
    /// the search for a request of completions that each root command begins with. Help and errors
    /// are a matter of the whole command line.
    static func verb(_ words: [String]) -> (any Verb)? {
        guard let first = words.first else { return nil }
        let rest = Array(words.dropFirst())
        if let group = groups.first(where: { $0.name == first }) { return group.verb(rest) }
        return verbs.first { $0.name == first }?.call(rest)
    }

    /// The options of a verb of one word or two, as its help has them; empty for no verb.
    @Sendable private static func options(of words: [String]) -> [String] {
        let group = groups.first { $0.name == words.first }
        let verb: (any Verb.Type)? =
            if let group { group.verbs.first { $0.name == words.last } } else {
                verbs.first { $0.name == words.first }
            }
        guard let verb else { return [] }
        return helpMessage(for: verb).split { !$0.isLetter && $0 != "-" }.map(String.init)
            .filter { $0.hasPrefix("--") }
    }

    private static func runAsRoot(_ words: [String]) async throws {
        var command = try parseAsRoot(words)
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    /// Ends the program: help on stdout, a wrong command line in one line on stderr.
    private static func leave(for error: any Error, _ words: [String]) -> Never {
        let code = exitCode(for: error)
        let console = Console(isVerbose: false)
        let usage = UsageRemark(
            verbs: verbs.map { $0.name } + groups.map { $0.name },
            subverbs: Dictionary(
                uniqueKeysWithValues: groups.map { group in
                    (group.name, group.verbs.map { $0.name })
                }),
            options: options)
        if error is ExitCode {
            // The verb has printed its message already.
            Glibc.exit(code.rawValue)
        } else if let remark = usage.unknownVerb(words) {
            // The parser answers `help frob` with the help of the whole program.
            console.note(remark)
            Glibc.exit(VerbStatus.usage.rawValue)
        } else if code == .validationFailure {
            console.note(usage.line(for: message(for: error), about: words))
        } else if code.isSuccess {
            if LinkedDashboard.type != nil, [nil, "help", "--help", "-h"].contains(words.first) {
                console.write(
                    "homeport-dashboard is homeport with the web server of 'homeport serve --http', "
                        + "which starts it. It has the same verbs.\n")
            }
            console.write(CompletionScript.adapted(fullMessage(for: error)))
            if let failure = console.writeFailure {
                console.note(failure.message)
                Glibc.exit(failure.status.rawValue)
            }
        }
        Glibc.exit(code.rawValue)
    }
}
