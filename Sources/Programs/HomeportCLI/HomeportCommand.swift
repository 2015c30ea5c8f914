package import ArgumentParser
import Glibc
import TerminalOutput

/// The controller's command line.
package struct HomeportCommand: VerbGroup {
    static let name = "homeport"
    static let version = ProgramVersion.release
    package static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Controls the devices of a home over MQTT.",
        discussion: """
            Results go to stdout, all else to stderr. Example:

              homeport send sweeper-1 start-cleaning 'rooms=[1,2]' passes=2 --wait final

            'homeport --version --verbose' names commit and protocol. 'homeport serve --http' starts homeport-dashboard, which has a web server and the same verbs.
            """,
        version: version, subcommands: [UnknownVerb<Self>.self], groupedSubcommands: groups,
        defaultSubcommand: UnknownVerb<Self>.self)

    private static let groups = [
        CommandGroup(
            name: "Device",
            subcommands: [
                DevicesVerb.self, ShowVerb.self, WatchVerb.self, NameVerb.self, RoomCommand.self,
                ForgetVerb.self,
            ]),
        CommandGroup(
            name: "Command",
            subcommands: [
                SendVerb.self, QueueVerb.self, CancelVerb.self, UndoVerb.self, RedoVerb.self,
                ScheduleCommand.self, RuleGroup.self,
            ]),
        CommandGroup(
            name: "History",
            subcommands: [
                HistoryVerb.self, ExplainVerb.self, ResolveVerb.self, AuditVerb.self,
                TelemetryVerb.self,
            ]),
        CommandGroup(
            name: "Controller",
            subcommands: [
                ServeVerb.self, InstancesVerb.self, DashboardVerb.self, LogsVerb.self,
                ChannelsVerb.self, DoctorVerb.self, ContextCommand.self,
            ]),
        CommandGroup(
            name: "Security",
            subcommands: [ProvisionVerb.self, IdentityCommand.self, KeychainVerb.self]),
    ]

    package init() {}

    /// Runs the program.
    /// - Parameter openDashboard: what `serve` shows the home in browsers with; `nil` in a program without a
    ///   web server.
    package static func main(openingDashboard openDashboard: DashboardOpener? = nil) async -> Never
    {
        StandardStreams.reserve()
        // A closed pipe on stdout must not kill the program while a command is under way.
        signal(SIGPIPE, SIG_IGN)
        // Nor must the limit on file sizes (ulimit -f), which the ledger may reach.
        signal(SIGXFSZ, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        if let lines = ProgramVersion.lines(for: words) {
            Console(isVerbose: false).write(lines)
            exit(.done)
        }
        // A server reads the line itself: the parser takes ten times as long as all else that is left to do.
        if let use = serverUse(of: words), let status = ServerCall.run(words, use) { exit(status) }
        do {
            var command = try parseAsRoot(words)
            guard let verb = command as? any Verb else {
                // The help of the parser, which it throws.
                try command.run()
                exit(.done)
            }
            exit(
                await verb.status(
                    of: Call(
                        console: Console(isVerbose: verb.common.verbose),
                        openDashboard: openDashboard)))
        } catch {
            exit(status(for: error, words))
        }
    }

    private static func exit(_ status: VerbStatus) -> Never {
        if status == .interrupted { Interrupts.endProgram() }
        Glibc.exit(status.rawValue)
    }

    /// Writes what the parser has instead of a verb: help to stdout, or in one line on stderr what is wrong.
    private static func status(for error: any Error, _ words: [String]) -> VerbStatus {
        let console = Console(isVerbose: false)
        guard exitCode(for: error).isSuccess else {
            console.note("\(message(for: error)) (see '\(helpCall(for: words))')")
            return .usage
        }
        console.write(CompletionScript.adapted(fullMessage(for: error)))
        guard let failure = console.writeFailure else { return .done }
        console.note(failure.message)
        return failure.status
    }

    /// The call that prints the help for a command line.
    private static func helpCall(for words: [String]) -> String {
        (words.prefix(commands(words).count - 1)).reduce(name) { "\($0) \($1)" } + " --help"
    }

    /// Whether a server may carry out the verb that a line begins with; `nil` where it may not.
    private static func serverUse(of words: [String]) -> ServerUse? {
        guard let verb = commands(words).last as? any HomeVerb.Type, verb.serverUse != .never
        else { return nil }
        return verb.serverUse
    }

    /// What the first words of a line name: the program, a group or verb, a verb of the group.
    private static func commands(_ words: [String]) -> [any ParsableCommand.Type] {
        var path: [any ParsableCommand.Type] = [Self.self]
        for word in words {
            let subcommands = path[path.count - 1].configuration.subcommands
            guard let next = subcommands.first(where: { $0.configuration.commandName == word })
            else { break }
            path.append(next)
        }
        return path
    }
}
