import ArgumentParser
import DeviceControl
import DeviceDomain
import Persistence

/// `homeport history`.
struct HistoryVerb: Verb {
    static let name = "history"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: Homeport.name,
        abstract: "Lists the commands of the ledger with their states, newest first.",
        discussion: """
            Example: homeport history --device sweeper-1 --limit 5

            It reads the ledger alone and needs no broker.

            \(VerbStatus.help([.done, .usage, .internalError]))
            """)

    @Option(
        help: ArgumentHelp("The commands of this device only.", valueName: "device"),
        transform: Parsing.identifier)
    var device: DeviceID?

    @Option(
        help: ArgumentHelp("At most so many commands.", valueName: "n"),
        transform: Parsing.count)
    var limit = 50

    @OptionGroup(title: "Home, broker and output") var common: CommonOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let query = HistoryQuery(
            controller: try common.resolvedController(), home: try common.resolvedHome(),
            device: device, limit: limit)
        let ledger = try Ledger.open(at: common.ledgerLocation())
        let records = try await ledger.history(query)
        console.write(HistoryRenderer(format: common.format).lines(for: records))
        return .done
    }
}
