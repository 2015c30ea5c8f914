import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport watch`.
struct WatchVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows telemetry, state, presence, events and acks live until interrupted.",
        discussion: """
            Example: homeport watch sweeper-1 sweeper-2 --json | jq -c 'select(.type == "event")'

            It keeps reconnecting for ever; only refused credentials end it. With --kind, --room or \
            --where a device is shown for as long as it passes, first with its presence and state.

            \(VerbStatus.help(VerbStatus.ofReading))
            """)

    @Argument(
        help: ArgumentHelp("The devices; all of the home if none is named.", valueName: "device"),
        completion: .devices)
    var devices: [String] = []

    @OptionGroup var filtering: FilterOptions
    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            let named = try await named(in: home)
            let scope = named.isEmpty ? HomeScope.everyDevice : .devices(named)
            let view = LiveView(
                home: home, console: console, format: common.format, filter: filtering.filter)
            let failure = await Interrupts(of: call).cancelling {
                async let _ = OpenCommands.takeOverWhenConnected(home, call)
                return await show(view, scope, named)
            }
            if let error = failure ?? nil { throw error }
            return .done
        }
    }

    /// Shows changes until the view ends, or a condition turns out to be on a member that no device reports.
    private func show(
        _ view: LiveView, _ scope: HomeScope, _ named: Set<DeviceID>
    ) async -> HomeError? {
        await withTaskGroup(of: ViewEnd?.self) { group in
            group.addTask { ViewEnd(failure: await view.show(scope)) }
            group.addTask {
                await findDevices(named, in: scope, of: view.home, view.console)
                    .map(ViewEnd.init(failure:))
            }
            defer { group.cancelAll() }
            for await end in group {
                if let end { return end.failure }
            }
            return nil
        }
    }

    /// How the view ended.
    private struct ViewEnd: Sendable {
        let failure: HomeError?
    }

    private func named(in home: Home) async throws(HomeError) -> Set<DeviceID> {
        var named: Set<DeviceID> = []
        for device in devices { named.insert(try await id(of: device, in: home)) }
        return named
    }

    /// The device that is meant; one that nobody knows yet may come.
    private func id(of device: String, in home: Home) async throws(HomeError) -> DeviceID {
        do throws(HomeError) {
            if let known = try await home.rememberedID(ofDeviceCalled: device) { return known }
        } catch {
            // It goes without a ledger.
            guard error.code == .ledger else { throw error }
        }
        if let id = DeviceID(rawValue: device) { return id }
        return try await home.find(device).id
    }

    /// Asks for all that is retained, so that the devices of a large home come too, and says which of the
    /// named ones are not there.
    /// - Returns: why nothing will ever be shown.
    private func findDevices(
        _ named: Set<DeviceID>, in scope: HomeScope, of home: Home, _ console: Console
    ) async -> HomeError? {
        do throws(HomeError) {
            try await home.naming.requireRoom(filtering.room)
            let survey = try await home.survey(scope)
            for (channel, reason) in survey.doubts.sorted(by: { $0.key < $1.key }) {
                console.hint("the devices of the channel \(channel): \(reason)")
            }
            let missing = named.subtracting(survey.devices.map(\.id)).sorted()
            if !missing.isEmpty { try await report(missing, in: home, console) }
            let list = DeviceList(home: home, console: console, filter: filtering.filter)
            try await list.requireKnownKind(mayWait: true)
            try await list.requireReportedMembers(of: survey.devices, mayWait: true)
        } catch {
            // Other errors are shown as states of the link.
            if error.code == .unknownMember || error.code == .unknownRoom { return error }
        }
        return nil
    }

    /// Reports which named devices are not there yet, and which devices the home has. So far only the named ones
    /// were asked for, so this asks for the whole home.
    private func report(
        _ missing: [DeviceID], in home: Home, _ console: Console
    ) async throws(HomeError) {
        let survey = try await home.survey(.everyDeviceWithoutTelemetry)
        let remembered = (try? await home.rememberedDevices()) ?? []
        let known = Set(remembered.map(\.id.text) + survey.devices.map(\.id.text)).sorted()
        let list = survey.isComplete && !known.isEmpty ? "; its devices are \(known.listed)" : ""
        for device in missing {
            let question = Suggestion.question(about: device.text, among: known)
            console.note(
                "no device \(device) is known in \(home.observation.place) yet; waiting for it"
                    + (question.isEmpty ? list : question))
        }
    }
}
