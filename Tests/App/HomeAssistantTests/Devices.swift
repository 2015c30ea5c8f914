import Homeport

@testable import HomeAssistant

/// Devices that the tests announce.
enum Devices {
    static let topics = BridgeTopics(prefix: .standard, home: .named("villa"))

    static let sweeper = profile(
        "sweeper-1", .sweepingRobot,
        SweepingRobot.commands(on: FloorOutline(roomIDs: [1, 2], x: 0...8, y: 0...6)))
    static let pool = profile("pool-1", .poolRobot, PoolRobot.commands)
    static let store = profile(
        "store-1", .energyStore,
        EnergyStore.commands(rated: EnergyStoreRating(chargeW: 2500, dischargeW: 2400)))

    static let light = profile(
        "light-1", DeviceKind(rawValue: "light"),
        [
            verb("turn-on", "state", "ON"), verb("turn-off", "state", "OFF"),
            CommandSpecification(
                name: CommandName(rawValue: "toggle"), arguments: .nothing, sort: .instant),
            setting("set-brightness", "brightness", .number(1...254), argument: "brightness"),
            setting("set-color-temp", "color_temp", .number(153...500), argument: "color-temp"),
            setting("set-effect-speed", "effect_speed", .number(1...5)),
        ])
    static let blind = profile(
        "blind-1", DeviceKind(rawValue: "cover"),
        [
            verb("open", "state", "OPEN"), verb("close", "state", "CLOSE"),
            CommandSpecification(
                name: .stop, arguments: .nothing, lane: .urgent, sort: .instant),
            setting("set-position", "position", .number(0...100), argument: "position"),
        ])
    static let gate = profile(
        "gate-1", DeviceKind(rawValue: "cover"),
        [verb("open", "state", "OPEN"), verb("close", "state", "CLOSE")])
    static let door = profile(
        "door-1", DeviceKind(rawValue: "lock"),
        [
            verb("lock", "state", "LOCK"), verb("unlock", "state", "UNLOCK"),
            setting("set-auto-lock", "auto_lock", ArgumentSchema(allowed: ["AUTO", "MANUAL"])),
        ])
    static let sockets = profile(
        "sockets-1", DeviceKind(rawValue: "plug"),
        [
            verb("turn-on-l1", "state_l1", true), verb("turn-off-l1", "state_l1", false),
            verb("turn-on-l2", "state_l2", "ON"), verb("turn-off-l2", "state_l2", "OFF"),
            verb("reset", "counter", 0),
            setting("set-led", "led", ArgumentSchema(allowed: [true, false])),
            setting("set-mode", "mode", ArgumentSchema(allowed: [1, 2])),
            setting("set-delay", "delay", ArgumentSchema(type: .string)),
        ])

    private static func verb(
        _ name: String, _ member: String, _ value: JSONValue
    ) -> CommandSpecification {
        CommandSpecification(
            name: CommandName(rawValue: name), arguments: .nothing, sort: .setting,
            sets: StateTarget(member: member, value: value))
    }

    private static func setting(
        _ name: String, _ member: String, _ schema: ArgumentSchema, argument: String = "value"
    ) -> CommandSpecification {
        CommandSpecification(
            name: CommandName(rawValue: name), arguments: .members([argument: schema]),
            sort: .setting, sets: StateTarget(member: member))
    }

    static let sweeperReport = DeviceReport(
        connection: .online(boot: nil), revision: 4,
        state: [
            "activity": "docked", "fanSpeed": "quiet", "isCharging": true, "error": nil,
            "batteryPercent": 80,
        ],
        telemetry: ["batteryPercent": 81, "x": 1.5, "cleanedAreaM2": 3.25])
    static let storeReport = DeviceReport(
        connection: .online(boot: nil), revision: 2,
        state: [
            "mode": "idle", "chargeLimitPercent": 90, "reservePercent": 10, "gridConnected": true,
            "alarms": [], "stateOfHealthPercent": 99.5,
        ],
        telemetry: [
            "stateOfChargePercent": 54.2, "batteryPowerW": -1250, "chargedKWh": 12.5,
            "dischargedKWh": 8.25, "temperatureC": 24, "voltageV": 51.5,
        ])

    static func profile(
        _ id: String, _ kind: DeviceKind, _ commands: [CommandSpecification], name: String = "Rob"
    ) -> DeviceProfile {
        DeviceProfile(
            id: .named(id), home: topics.home, kind: kind, model: DeviceModel(rawValue: "m1"),
            name: name,
            firmware: "1.2", capabilities: [.connectable, .controllable], commands: commands)
    }
}

extension Identifier {
    /// An identifier that a test names.
    static func named(_ text: String) -> Identifier {
        guard let identifier = Identifier(rawValue: text) else {
            preconditionFailure("\(text) is no identifier")
        }
        return identifier
    }
}

extension DeviceEntities {
    init(_ profile: DeviceProfile, _ report: DeviceReport) {
        self.init(profile, SeenMembers(report))
    }

    /// The entities as `component key`, sorted.
    var names: [String] { all.map { "\($0.component.rawValue) \($0.key)" }.sorted() }
}

extension BridgeDocument {
    /// The content as JSON; empty for a message that removes.
    var members: JSONObject { (try? JSONReader.read(payload).object) ?? [:] }
    var text: String { String(decoding: payload, as: UTF8.self) }
}
