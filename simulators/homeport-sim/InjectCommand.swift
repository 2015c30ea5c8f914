import ArgumentParser
import DeviceDomain
import DeviceSimulation
import LocalServices
import TerminalOutput

/// `homeport-sim inject`: lets a fault happen to devices of a running fleet, or ends it.
struct InjectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inject",
        abstract: "Let a fault happen to devices of a running fleet.",
        discussion: """
            EXAMPLE
              homeport-sim inject sweeper-1 stuck --for 2m
              homeport-sim inject home-2 slow --set delayMs=500
              homeport-sim inject sweepers drop-acks --share 0.5
              homeport-sim inject sweeper-1 clear --set fault=stuck
              homeport-sim inject all clear

            Either every device that is meant gets the fault, or none. They are printed once they \
            have it, as 'homeport-sim status' prints them. Without --for a fault stays until it is \
            cleared or the fleet ends. A fault that a device has already gets the new time and the \
            new parameters. Of several running fleets the one that has the devices is meant; where \
            several have them, --pid chooses one.

            TARGETS
              sweeper-1, home-2/sweeper-1    a device
              all, \(BehaviourCatalog.standard.kinds.map(\.group).joined(separator: ", "))   every device, or those of a kind
              sweeping-robot                 the devices of a kind
              NAME                           a group of a scenario
              home-2                         the devices of a home
              home-2/sweepers                such a group of one home
              access-point:NAME, feeder:NAME what fails together in a scenario

            FAULTS
            \(FaultTable.text)
              clear
                ends all faults of the devices, or the one of --set fault=NAME

            EXIT STATUS
              0   every device has the fault, or has it no more
              2   no fleet runs, or it does not answer
              64  wrong options, an unknown device or fault, or one that it cannot have
            """)

    /// The word that ends faults.
    private static let clear = "clear"

    @Argument(
        help: ArgumentHelp(
            "A device, such as sweeper-1 or home-2/sweeper-1; or a group, see TARGETS.",
            valueName: "device|group"))
    var target: String

    @Argument(
        help: ArgumentHelp("The fault, or clear.", valueName: "fault"),
        completion: .list(SimulatedFault.allCases.map(\.rawValue) + [clear]))
    var fault: String

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp(
            "How long the fault lasts, in world time (default: until it is cleared).",
            valueName: "T"),
        transform: OptionValues.time(from: "1ms", to: "87600h"))
    var lasting: Duration?

    @Option(
        name: .customLong("set"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A parameter of the fault; may be given more than once.", valueName: "key=value"),
        transform: { try FaultSetting($0) })
    var settings: [FaultSetting] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The part of these devices that gets it, chosen by seed, fault and target: a larger part has the "
                + "devices of a smaller one.", valueName: "N"),
        transform: OptionValues.share)
    var share = 1.0

    @OptionGroup var choice: FleetChoice

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func validate() throws { _ = try request() }

    func run() throws {
        try choice.show(request(), about: target, asJSON: json)
    }

    private func request() throws -> ControlRequest {
        let settings = try FaultSetting.settings(settings)
        guard fault == Self.clear else {
            return .inject(
                target: target, fault: fault, settings: settings, lasting: lasting, share: share)
        }
        guard lasting == nil else { throw ValidationError("clear takes no --for: leave it out") }
        for name in settings.keys.sorted() where name != "fault" {
            throw ValidationError("clear takes --set fault=NAME only, not \(name)")
        }
        guard let named = settings["fault"] else {
            return .clear(target: target, fault: nil, share: share)
        }
        guard let name = named.string else { throw ValidationError("write --set fault=NAME") }
        return .clear(target: target, fault: name, share: share)
    }
}

/// The faults as the help shows them.
enum FaultTable {
    /// Some lines for each, none longer than a terminal is wide.
    static var text: String {
        SimulatedFault.allCases.flatMap { lines(of: $0.specification) }.joined(separator: "\n")
    }

    private static func lines(of specification: PossibleFault) -> [String] {
        let kinds = specification.kinds.map(\.rawValue).joined(separator: ", ")
        let who = specification.isForEveryKind ? "every device" : kinds
        let lines = ["  \(specification.name.rawValue) (\(who))", "    \(specification.effect)"]
        let notes =
            specification.parameters.map(\.text)
            + (specification.lasts ? [] : ["happens at once: takes no --for"])
        return lines + notes.map { "    \($0)" }
    }
}
