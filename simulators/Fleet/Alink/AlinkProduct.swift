import Alink
import DeviceDomain

/// What the simulated devices of one kind are in Alink: their thing model, and which command of the device each
/// entry of it stands for.
///
/// | In Homeport | In the thing model |
/// |---|---|
/// | a member of states or samples | a property of the same name |
/// | a setting with one argument whose value the state shows | the same property, which can be set |
/// | an action, and a command that is done at once | a service, `start-cleaning` as `startCleaning` |
/// | an event | an event, `cleaning-finished` as `cleaningFinished`, its detail as one text of JSON |
///
/// Alink has no revisions and no queries of commands: what needs them is left out.
struct AlinkProduct: Sendable {
    /// A setting of the device.
    struct Setting: Hashable, Sendable {
        let command: CommandSpecification
        let argument: String
    }

    /// The kind of the devices.
    let kind: DeviceKind
    /// The thing model as a controller reads it: TSL.
    let document: JSONValue
    /// The same, read.
    let model: ThingModel
    /// The settings by the identifiers of their properties.
    let settings: [String: Setting]
    /// The commands by the identifiers of their services.
    let services: [String: CommandSpecification]

    /// The product of a kind; `nil` for one that is not simulated.
    init?(_ kind: DeviceKind) {
        guard let commands = Self.commands(of: kind), let state = Signal.state(of: kind),
            let telemetry = Signal.telemetry(of: kind)
        else { return nil }
        self.kind = kind
        settings = Self.settings(of: kind, among: commands)
        let services = commands.filter { command in
            command.sort != .setting && !Self.withoutService.contains(command.name)
        }
        self.services = Dictionary(
            services.map { ($0.name.rawValue.camelCase, $0) },
            uniquingKeysWith: { first, _ in first })
        let signals = state.union(telemetry).sorted { $0.rawValue < $1.rawValue }
        let members: JSONObject = [
            "schema": "https://iotx-tsl.oss-ap-southeast-1.aliyuncs.com/schema.json",
            "profile": ["productKey": ""],
            "properties": .array(
                signals.map { [settings] signal in
                    Self.property(signal, setBy: settings[signal.rawValue])
                }),
            "services": .array(services.map(Self.service)),
            "events": .array(Self.events(of: kind).map(Self.event)),
        ]
        document = .object(members)
        model = ThingModel(members)
    }

    /// What asks for a record of commands, or makes no sense without a claim.
    private static let withoutService: Set<CommandName> = [
        .queryCommands, .cancelCommand, .commitClaim,
    ]

    private static func commands(of kind: DeviceKind) -> [CommandSpecification]? {
        switch kind {
        case .sweepingRobot: SweepingRobot.commands()
        case .poolRobot: PoolRobot.commands
        case .energyStore: EnergyStore.commands()
        default: nil
        }
    }

    /// The members of the states that a command sets.
    private static func settings(
        of kind: DeviceKind, among commands: [CommandSpecification]
    ) -> [String: Setting] {
        let named: KeyValuePairs<Signal, (name: CommandName, argument: String)> = [
            .fanSpeed: (.setSuctionLevel, "level"), .powerLevel: (.setPowerLevel, "level"),
            .mode: (.setMode, "mode"), .chargeLimitPercent: (.setChargeLimit, "percent"),
            .reservePercent: (.setReserve, "percent"),
        ]
        return named.reduce(into: [:]) { settings, entry in
            guard let command = commands.first(where: { $0.name == entry.value.name }) else {
                return
            }
            settings[entry.key.rawValue] = Setting(
                command: command, argument: entry.value.argument)
        }
    }

    private static func events(of kind: DeviceKind) -> [EventName] {
        switch kind {
        case .sweepingRobot: [.cleaningFinished, .docked, .lowBattery, .stuck, .fault]
        case .poolRobot: [.programFinished, .filterFull, .outOfWater, .lowBattery, .stuck, .fault]
        case .energyStore: [.gridLost, .gridRestored, .overTemperature, .fault]
        default: []
        }
    }
}

extension String {
    /// `start-cleaning` as `startCleaning`.
    var camelCase: String {
        let words = split(separator: "-")
        return words.dropFirst().reduce(into: String(words.first ?? "")) { text, word in
            text += word.prefix(1).uppercased() + word.dropFirst()
        }
    }
}
