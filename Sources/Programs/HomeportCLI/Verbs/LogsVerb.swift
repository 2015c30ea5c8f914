import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport logs`.
struct LogsVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "logs",
        abstract: "Prints what the running 'homeport serve' has said.",
        discussion: """
            Examples: homeport logs
                      homeport logs --follow

            It prints the newest \(ServerLog.limit) lines that the server has written to stderr, oldest first, with \
            their times. They end with the server; what starts it, such as systemd, may keep more.

            With --json: {"at","text"}.

            \(VerbStatus.help(
                [.done, .notDone, .usage, .internalError],
                but: [.notDone: "no server answers for this home, ledger and broker"]))
            """)

    @Flag(help: "Goes on with what it says, until interrupted.")
    var follow = false

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let log = try call.requireServer(startedBy: "homeport serve", for: options).log
        let console = call.console
        guard follow else {
            console.write(log.lines.map(text))
            return .done
        }
        _ = await Interrupts(of: call).cancelling {
            for await line in log.following() where !console.isClosed {
                console.write(text(of: line))
            }
        }
        return .done
    }

    @Sendable
    private func text(of line: ServerLog.Line) -> String {
        guard common.json else { return "\(LocalTime.dateAndTime(line.at)) \(line.text)" }
        var object = JSONLine()
        object.add("at", line.at.milliseconds)
        object.add("text", line.text)
        return object.text
    }
}
