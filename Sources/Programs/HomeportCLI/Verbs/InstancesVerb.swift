import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport instances`.
struct InstancesVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "instances",
        abstract: "Lists the processes that share a ledger in PostgreSQL.",
        discussion: """
            Example: homeport instances --database postgresql://homeport@db.example/homeport

            An instance is a process that may own homes and sends their commands: a 'homeport serve', and \
            for its lifetime every other call that sends. Who is alive comes first; one that has died is \
            listed for a day. It needs no broker. With --json: {"instance","alive","homes","expiresAt"}, \
            with the number of homes that it owns and the end of its lease.

            \(VerbStatus.help(
                VerbStatus.ofReading, but: [.noConnection: "the database cannot be reached"]))
            """)

    @OptionGroup(title: "List") var list: ListOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(visibility: .hidden) var broker: BrokerOptions

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let style = try list.style(common, of: InstancesRenderer.columns)
        let file = try common.configurationFile()
        let options = try options.inContext(of: file)
        let instances: [LedgerInstance]
        do throws(HomeError) {
            instances = try await options.ledgerLocation(file).instances()
        } catch {
            throw CommandLineError(error, .ofLedger(try options.resolvedHome(file)))
        }
        let times = ListTimes(style, in: call.console.layout, now: MachineClock.wallTime)
        call.console.write(
            InstancesRenderer(times: times).listing(of: instances), style,
            ifEmpty: "no process works with this ledger; 'homeport serve' starts one")
        return .done
    }
}
