import ArgumentParser
import Glibc

/// The controller's command line.
@main
struct Homeport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homeport",
        abstract: "Controls the devices of a home over MQTT.",
        discussion: """
            Results go to stdout, all else to stderr. Example:

              homeport send sweeper-1 start-cleaning --set 'rooms=[1,2]' --wait final
            """,
        version: "0.1.0",
        subcommands: [
            DevicesVerb.self, ShowVerb.self, WatchVerb.self, SendVerb.self, HistoryVerb.self,
        ])

    static func main() async {
        // A reader of stdout that goes away must not end a command that is on its way.
        signal(SIGPIPE, SIG_IGN)
        do {
            var verb = try parsed()
            if var verb = verb as? any AsyncParsableCommand {
                try await verb.run()
            } else {
                try verb.run()
            }
        } catch {
            leave(for: error)
        }
    }

    /// The verb that is called. One that is named first is parsed by itself, without its siblings;
    /// help and errors are a matter of the whole command line.
    private static func parsed() throws -> any ParsableCommand {
        let words = Array(CommandLine.arguments.dropFirst())
        if let verb = configuration.subcommands.first(where: { $0._commandName == words.first }),
            case .success(let call) = Result(catching: { try verb.parseAsRoot(Array(words[1...])) }),
            type(of: call) == verb
        {
            return call
        }
        return try parseAsRoot(words)
    }

    /// Ends the program: help on stdout, a wrong command line in one line on stderr.
    private static func leave(for error: any Error) -> Never {
        let code = exitCode(for: error)
        if error is ExitCode {
            // The verb has said all there is to say.
            Glibc.exit(code.rawValue)
        } else if code == .validationFailure {
            let verb = CommandLine.arguments.dropFirst().first { word in
                configuration.subcommands.contains { $0._commandName == word }
            }
            let help = (["homeport", verb].compactMap(\.self) + ["--help"]).joined(separator: " ")
            Console(isVerbose: false).note("\(message(for: error)); see '\(help)'")
        } else if code.isSuccess {
            Console(isVerbose: false).write(fullMessage(for: error))
        }
        Glibc.exit(code.rawValue)
    }
}
