import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport devices`.
struct DevicesVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Lists every device of the home.",
        discussion: """
            Example: homeport devices --where 'batteryPercent<20' --json | jq -r .device

            Where one of several channels is down, its devices are listed as they were last known, \
            and how long ago they were heard; --json has the time as lastHeardAt.

            Telemetry is not retained. On a terminal the table is shown at once, and again with the \
            first sample of devices that report their charge in telemetry only. A pipe and --json \
            have samples only where --where needs them. --wait waits for a sample of every \
            device, --no-wait for none.

            With --watch a pipe gets the list once, then a line for each change of a device; a \
            device that leaves the list is shown as removed.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @Flag(help: "Keep the list up to date until interrupted.")
    var watch = false

    @OptionGroup var filtering: FilterOptions
    @OptionGroup var waiting: WaitOptions
    @OptionGroup(title: "List") var list: ListOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }
    var serverUse: ServerUse { watch ? .never : Self.serverUse }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let style = try listStyle()
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            let list = DeviceList(
                home: home, console: console, filter: filtering.filter, style: style,
                limit: waiting.limit)
            if watch {
                let failure = await Interrupts(of: call).cancelling {
                    await keepUpToDate(list, session, call)
                }
                if let error = failure ?? nil { throw error }
            } else {
                let (survey, devices) = try await list.surveyed(
                    telemetry: telemetry(style, console))
                await report(survey, devices, of: home, session, console)
                let renderer = DevicesRenderer(style: style, layout: console.layout)
                console.write(renderer.lines(for: devices))
                await reportUnheardDevices(home, console)
                await remember(home, console)
                await OpenCommands.takeOver(home, call)
            }
            return .done
        }
    }

    private func listStyle() throws(CommandLineError) -> ListStyle {
        let style = try list.style(common, of: DevicesRenderer.columns)
        guard watch, style.form == .name || style.form == .yaml else { return style }
        throw .usage("--watch prints lines as they come: choose -o table, wide or json")
    }

    private func telemetry(_ style: ListStyle, _ console: Console) -> DeviceList.Telemetry {
        switch waiting.wait {
        case true: .ofEveryDevice
        case false: .notNeeded
        case nil: style.isTable && console.movesCursor ? .whereShown : .whereNeeded
        }
    }

    /// Shows the list until it is interrupted.
    /// - Returns: why it could not be shown, or not any more.
    private func keepUpToDate(
        _ list: DeviceList, _ session: Session, _ call: Call
    ) async -> HomeError? {
        let home = list.home
        do throws(HomeError) {
            let (survey, devices) = try await list.surveyed(telemetry: .followed)
            await report(survey, devices, of: home, session, call.console)
        } catch {
            return error
        }
        async let _ = OpenCommands.takeOverWhenConnected(home, call)
        await remember(home, call.console)
        let live = LiveDevices(
            home: home, console: call.console, style: list.style, filter: filtering.filter)
        return await live.show()
    }

    private func report(
        _ survey: HomeSurvey, _ devices: [KnownDevice], of home: Home, _ session: Session,
        _ console: Console
    ) async {
        for (channel, failure) in survey.failures.sorted(by: { $0.key < $1.key }) {
            console.note(
                "the channel \(channel) is down: \(failure); "
                    + "its devices are listed as they were last known")
        }
        guard !survey.devices.isEmpty else {
            return console.note(await noDevice(of: home, survey, session))
        }
        for (channel, reason) in survey.doubts.sorted(by: { $0.key < $1.key }) {
            console.note("the list of the channel \(channel) may be incomplete: \(reason)")
        }
        for device in devices {
            if let problem = device.problem { console.note("\(device.id): \(problem)") }
        }
        if devices.isEmpty, !watch { console.note(filtering.noMatch(in: home)) }
    }

    /// The message where no device was found: the home, the broker, and other homes that have devices.
    private func noDevice(
        of home: Home, _ survey: HomeSurvey, _ session: Session
    ) async -> String {
        let heard = "no device of \(home.id) was heard"
        let others = (await home.otherHomes()).map(\.text)
        if let first = others.first {
            let names = others.prefix(5).joined(separator: ", ") + (others.count > 5 ? " …" : "")
            return "\(heard); this broker has \(names): pass --home \(first)"
        }
        let hint = session.emptyHomeHint
        if !hint.isEmpty { return heard + hint }
        let doubts = Set(survey.doubts.values).sorted().map { "; \($0)" }.joined()
        return "\(heard) at \(home.address)\(doubts)"
    }

    /// A ledger that cannot be read knows of no others; taking over says why it cannot.
    private func reportUnheardDevices(_ home: Home, _ console: Console) async {
        let filter = filtering.filter
        guard
            let remark = try? await home.observation.unheardDevices(
                of: filter.kind, in: filter.room
            )
            .unheardRemark
        else { return }
        console.note(remark)
    }

    /// Writes down what the devices are, so that they are known while they are silent.
    private func remember(_ home: Home, _ console: Console) async {
        do throws(HomeError) {
            try await home.rememberDevices()
        } catch {
            console.hint("the devices were not remembered: \(error)")
        }
    }
}
