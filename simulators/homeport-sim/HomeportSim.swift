import ArgumentParser
import Glibc
import LocalServices
import TerminalOutput

/// The fleet's command line: verbs only, each in its own file.
@main
struct HomeportSim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "homeport-sim",
        abstract: "Simulated homes: sweeping robots, pool robots and energy stores over MQTT.",
        discussion: "'homeport-sim --version --verbose' names commit and protocol.",
        version: ProgramVersion.release,
        subcommands: [
            RunCommand.self, ValidateCommand.self, InjectCommand.self, PauseCommand.self,
            ResumeCommand.self, StepCommand.self, StatusCommand.self, ReportCommand.self,
            RecordCommand.self, PlayCommand.self, ReplayCommand.self, ModelsCommand.self,
        ])

    /// Runs the program. It reports a wrong command line, or a folder that cannot be used, in one line.
    static func main() async {
        StandardStreams.reserve()
        do {
            if let lines = ProgramVersion.lines(for: Array(CommandLine.arguments.dropFirst())) {
                return try Console.simulator.writeResult(lines)
            }
            try await runVerb()
        } catch let error as LocalServicesError {
            Console.simulator.note("\(error)")
            Glibc.exit(ExitStatus.fault.rawValue)
        } catch {
            guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
            if !(error is ExitCode) {
                let words = Array(CommandLine.arguments.dropFirst())
                Console.simulator.note(
                    UsageErrorMessage.line(for: message(for: error), about: words))
            }
            Glibc.exit(ExitStatus.usage.rawValue)
        }
    }

    /// Carries out what the command line says.
    private static func runVerb() async throws {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error where exitCode(for: error).isSuccess {
            // The help of the parser, which it throws.
            try Console.simulator.writeResult(CollectionOfOne(fullMessage(for: error)))
        }
    }
}
