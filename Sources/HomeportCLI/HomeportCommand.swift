import ArgumentParser
import Glibc

/// The controller's command line.
@main
struct HomeportCommand: AsyncParsableCommand {
    static let name = "homeport"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Controls the devices of a home over MQTT.",
        discussion: """
            Results go to stdout, all else to stderr. Example:

              homeport send sweeper-1 start-cleaning --set 'rooms=[1,2]' --wait final
            """,
        version: "0.1.0",
        subcommands: verbs)

    private static let verbs: [any Verb.Type] = [
        DevicesVerb.self, ShowVerb.self, WatchVerb.self, SendVerb.self, HistoryVerb.self,
        ChannelsVerb.self,
    ]

    static func main() async {
        // A reader of stdout that goes away must not end a command that is on its way.
        signal(SIGPIPE, SIG_IGN)
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            if let call = call(words) {
                try await call.execute()
            } else {
                try await runAsRoot(words)
            }
        } catch {
            leave(for: error)
        }
    }

    /// The call of a verb that is named first, parsed by itself: without its siblings, and without
    /// the search for a request of completions that each root command begins with. Help and errors
    /// are a matter of the whole command line.
    private static func call(_ words: [String]) -> (any Verb)? {
        verbs.first { $0.name == words.first }?.call(Array(words[1...]))
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
    private static func leave(for error: any Error) -> Never {
        let code = exitCode(for: error)
        if error is ExitCode {
            // The verb has said all there is to say.
            Glibc.exit(code.rawValue)
        } else if code == .validationFailure {
            let verb = CommandLine.arguments.dropFirst().first { word in
                verbs.contains { $0.name == word }
            }
            let help = ([name, verb].compactMap(\.self) + ["--help"]).joined(separator: " ")
            Console(isVerbose: false).note(line(message(for: error), seeAlso: help))
        } else if code.isSuccess {
            Console(isVerbose: false).write(fullMessage(for: error))
        }
        Glibc.exit(code.rawValue)
    }

    /// The parser's message and the remedy: some messages end with a full stop, one with a question.
    private static func line(_ message: String, seeAlso help: String) -> String {
        if message.hasSuffix("?") { return "\(message) See '\(help)'" }
        return "\(message.hasSuffix(".") ? String(message.dropLast()) : message); see '\(help)'"
    }
}
