import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport channels`.
struct ChannelsVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "channels",
        abstract: "Lists the channels with their link, what they can report, and who uses them.",
        discussion: """
            Example: homeport channels --config homeport.yaml

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @OptionGroup(title: "List") var list: ListOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(visibility: .hidden) var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let style = try list.style(common, of: ChannelsRenderer.columns)
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home in
            let channels = await home.channels()
            console.write(ChannelsRenderer.listing(of: channels).lines(style, in: console.layout))
            return channels.contains { $0.link.isConnected } ? .done : .noConnection
        }
    }
}
