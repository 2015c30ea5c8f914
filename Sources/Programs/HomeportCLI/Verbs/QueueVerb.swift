import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport queue`.
struct QueueVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Lists the commands that wait for their devices.",
        discussion: """
            Example: homeport queue

            They are sent when their device is back, by the process that waits for them or by the \
            next homeport of this ledger that connects. 'homeport cancel ID' takes one back. A \
            setting that the broker keeps for a device is listed until the device has reported \
            it, and cannot be taken back. UNTIL is the end of the time in which it may start. It \
            reads the ledger alone and needs no broker.

            A command is sent at the broker that it was meant for and nowhere else, even where \
            another broker has a home of the same name. Where your home has moved to another \
            broker, or to another name of the same one, say so once: homeport queue --moved

            \(VerbStatus.help(VerbStatus.ofLedger))
            """)

    @Flag(
        help:
            "The home has moved: what is open for other brokers belongs to the broker of this call."
    )
    var moved = false

    @OptionGroup(title: "List") var list: ListOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let style = try list.style(common, of: HistoryRenderer.columnsOfQueue)
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            if moved {
                let count = try await home.moveCommandsHere().count
                console.note(
                    count == 0
                        ? "nothing is open for another broker than \(home.address)"
                        : "open for \(home.address) from now on: \(count) of other brokers")
            }
            let renderer = HistoryRenderer(
                style: style, layout: console.layout, labels: try await home.naming.labels())
            let waiting = try await home.waitingCommands()
            console.write(
                renderer.listing(of: waiting, HistoryRenderer.columnsOfQueue), style,
                ifEmpty: "no commands wait for devices of \(home.id)")
            let overdue = waiting.count { $0.isOverdue(at: MachineClock.wallTime) }
            if overdue > 0 {
                console.note(
                    "of \(overdue) of them the time in which it may start has passed: it is not sent any "
                        + "more, and expires when the next homeport of this ledger connects")
            }
            try await console.noteElsewhere(in: home)
            return .done
        }
    }
}
