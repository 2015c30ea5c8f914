import ArgumentParser
import Homeport
import TerminalOutput

/// `homeport forget`.
struct ForgetVerb: HomeVerb {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Removes a device that is offline: from the ledger and at its broker.",
        discussion: """
            Example: homeport forget sweeper-1

            Removed are what the ledger knows of the device, its retained messages and the settings that \
            wait for it; its commands stay in the history. Those that wait for it are taken back; such \
            settings end with an unknown outcome. What the broker holds for the device already cannot be \
            taken back: it is delivered if the device returns within an hour (MQTT 3.1.1: whenever it \
            returns). A device that is online is not forgotten: switch it off first. Nor is one whose \
            broker is away, as it may be online. One that is switched on again is there again. A device \
            that can connect no more, as after 'identity revoke', may stay online in the list: --force \
            forgets it.

            With --json: {"device","home","comesBack","takenBack","putAway"}; comesBack is null, or says \
            why the broker keeps messages of the device, so that it will be listed again; takenBack has \
            the ids of the commands that were taken back, putAway those of settings that were kept for \
            it.

            \(VerbStatus.help(statuses, but: own))
            """)
    private static let statuses: [VerbStatus] =
        [.done, .notDone, .noConnection] + VerbStatus.ofEveryHome
    private static let own: [VerbStatus: String] = [
        .notDone: "it is online; or it was forgotten, but the broker keeps messages of it",
        .wrongInput: "unknown device",
    ]

    @Argument(
        help: ArgumentHelp(
            "The device: its id or name, as 'homeport devices' lists them.", valueName: "device"),
        completion: .devices)
    var device: String

    @Flag(help: "Forgets the device also where it is online, or its broker is away.")
    var force = false

    @OptionGroup(title: "Home and output") var common: CommonOptions
    @OptionGroup(title: "Ledger") var ledger: LedgerOptions
    @OptionGroup(title: "Broker") var broker: BrokerOptions

    static var serverUse: ServerUse { .mayBeRepeated }

    func perform(in call: Call) async throws(CommandLineError) -> VerbStatus {
        let session = try Session(options, call)
        let console = call.console
        return try await session.withHome { home throws(HomeError) in
            let known = try await home.find(device)
            let forgotten = try await home.forget(known.id, evenIfOnline: force)
            console.write(lines(for: forgotten, of: home))
            if let commands = Self.counted(forgotten.takenBack, "command") {
                console.note("took back \(commands) that waited for it")
            }
            if let settings = Self.counted(forgotten.putAway, "setting") {
                console.note(
                    "put away \(settings) that the broker kept for it: the device may have got it, or get it "
                        + "when it returns")
            }
            try await nameSchedulesAndRules(of: known.id, in: home, console)
            guard let reason = forgotten.comesBack else { return .done }
            console.note("\(known.id) will be listed again: \(reason)")
            return .notDone
        }
    }

    /// Its schedules and rules stay: a device that comes back is expected to go on. Schedules that are over are
    /// not named.
    private func nameSchedulesAndRules(
        of device: DeviceID, in home: Home, _ console: Console
    ) async throws(HomeError) {
        let now = MachineClock.wallTime
        for schedule in try await home.schedules()
        where schedule.command.device == device && schedule.next(after: now, in: .system) != nil {
            console.note(
                "schedule \(schedule.id) still sends it \(schedule.command.name.rawValue); 'homeport "
                    + "schedule remove \(schedule.id)' ends that")
        }
        for rule in try await home.rules.list() where rule.plan.names(device) {
            console.note(
                "rule \(rule.id) (\(rule.plan.name)) names it; 'homeport rule remove \(rule.id)' ends that"
            )
        }
    }

    /// How many there are, with a word; `nil` for none.
    private static func counted(_ ids: [CommandID], _ noun: String) -> String? {
        ids.isEmpty ? nil : ids.count == 1 ? "1 \(noun)" : "\(ids.count) \(noun)s"
    }

    private func lines(for forgotten: ForgottenDevice, of home: Home) -> [String] {
        switch common.format {
        case .human: return ["forgot \(forgotten.id)"]
        case .json:
            var line = JSONLine()
            line.add("device", forgotten.id.text)
            line.add("home", home.id.text)
            line.add("comesBack", forgotten.comesBack)
            line.add("takenBack", .array(forgotten.takenBack.map { .string($0.text) }))
            line.add("putAway", .array(forgotten.putAway.map { .string($0.text) }))
            return [line.text]
        }
    }
}
