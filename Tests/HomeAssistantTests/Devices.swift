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
