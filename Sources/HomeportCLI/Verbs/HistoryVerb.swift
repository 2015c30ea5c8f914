import ArgumentParser
import Homeport

/// `homeport history`.
struct HistoryVerb: Verb {
    static let name = "history"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: HomeportCommand.name,
        abstract: "Lists the commands of the ledger with their states, newest first.",
        discussion: """
            Example: homeport history --device sweeper-1 --limit 5

            It reads the ledger alone and needs no broker.

            \(VerbStatus.help([.done, .usage, .wrongInput, .internalError]))
            """)

    @Option(
        help: ArgumentHelp("The commands of this device only.", valueName: "device"),
        completion: .devices, transform: Parsing.identifier)
    var device: DeviceID?

    @Option(
        help: ArgumentHelp("At most so many commands.", valueName: "n"),
        transform: Parsing.count)
    var limit = 50

    @OptionGroup(title: "Home, broker and output") var common: CommonOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let session = try Session(common)
        let renderer = HistoryRenderer(format: common.format)
        return try await session.withHome { home throws(Failure) in
            do throws(HomeError) {
                let records = try await home.history(device: device, limit: limit)
                console.write(renderer.lines(for: records))
            } catch {
                throw session.failure(for: error)
            }
            return .done
        }
    }
}
