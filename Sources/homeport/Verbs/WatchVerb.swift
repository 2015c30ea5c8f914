import ArgumentParser
import DeviceDomain
import MosquittoAdapter

/// `homeport watch`.
struct WatchVerb: Verb {
    static let name = "watch"
    static let configuration = CommandConfiguration(
        commandName: name,
        _superCommandName: Homeport.name,
        abstract: "Shows telemetry, state, presence, events and acks live until interrupted.",
        discussion: """
            Example: homeport watch sweeper-1 sweeper-2 --json | jq -c 'select(.type == "event")'

            It keeps reconnecting for ever; only refused credentials end it.

            \(VerbStatus.help(VerbStatus.ofReading.filter { $0 != .wrongInput }))
            """)

    @Argument(
        help: ArgumentHelp("The devices; all of the home if none is named.", valueName: "device"),
        transform: Parsing.identifier)
    var devices: [DeviceID] = []

    @OptionGroup(title: "Home, broker and output") var common: CommonOptions

    func perform(on console: Console) async throws(Failure) -> VerbStatus {
        let station = try Station(common)
        let location = try common.ledgerLocation()
        let channel = try station.makeChannel()
        let view = LiveView(
            station: station, channel: channel, console: console,
            renderer: WatchRenderer(format: common.format))
        let ledger = openLedger(at: location, console)
        let watched = Set(devices)
        let failure = await Interrupts().cancelling { await view.run(watched, resuming: ledger) }
        await channel.close()
        ledger?.retire()
        if let failure = failure ?? nil { throw failure }
        return .done
    }

    /// Watching needs no ledger: without one the commands of dead processes are left alone.
    private func openLedger(at location: LedgerLocation, _ console: Console) -> Ledger? {
        do throws(Failure) {
            return try Ledger.open(at: location)
        } catch {
            console.note("earlier commands are left alone: \(error)")
            return nil
        }
    }
}
