import ArgumentParser
import Homeport

/// `homeport queue`.
struct QueueVerb: HomeVerb {
    static let name = "queue"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: HomeportCommand.name,
        abstract: "Lists the commands that wait for their devices.",
        discussion: """
            Example: homeport queue

            They are sent when their device is back, by the process that waits for them or by the \
            next homeport of this ledger that connects. 'homeport cancel ID' takes one back. A \
            setting that the broker keeps for a device is listed until the device has reported \
            it, and cannot be taken back. UNTIL is the end of the time in which it may start. It reads the ledger alone and needs no broker.

            \(VerbStatus.help(VerbStatus.ofLedger))
            """)

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    func perform(in call: Call) async throws(Failure) -> VerbStatus {
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            let renderer = HistoryRenderer(
                format: common.format, layout: console.layout, showsLimit: true)
            let waiting = try await home.waitingCommands()
            console.write(
                list: renderer.lines(for: waiting), common.format,
                ifEmpty: "no commands wait for devices of \(home.id)")
            let overdue = waiting.count { $0.isOverdue(at: MachineClock.wallTime) }
            if overdue > 0 {
                console.note(
                    "of \(overdue) of them the time in which it may start has passed: it is not sent any "
                        + "more, and expires when the next homeport of this ledger connects")
            }
            return .done
        }
    }
}
