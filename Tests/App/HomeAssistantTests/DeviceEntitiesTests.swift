import Homeport
import Testing

@testable import HomeAssistant

@Suite struct DeviceEntitiesTests {
    @Test func sweeperIsVacuumWithRoomsAndSignals() {
        let entities = DeviceEntities(Devices.sweeper, Devices.sweeperReport)
        #expect(
            entities.names == [
                "binary_sensor isCharging", "button clean-spot", "button identify",
                "button move-to", "button start-cleaning__rooms__1",
                "button start-cleaning__rooms__2", "number clean-spot__x", "number clean-spot__y",
                "number move-to__x", "number move-to__y", "sensor activity",
                "sensor batteryPercent", "sensor cleanedAreaM2", "sensor error", "sensor x",
                "vacuum vacuum",
            ])
        let vacuum = entities.entity(.vacuum, "vacuum")
        #expect(vacuum?.members["fan_speed_list"] == ["quiet", "balanced", "turbo", "max"])
        #expect(
            vacuum?.members["supported_features"] == [
                "start", "stop", "send_command", "pause", "return_home", "locate", "fan_speed",
            ])
        #expect(vacuum?.name == nil)
    }

    @Test func poolRobotKeepsItsProgramForTheStart() {
        let entities = DeviceEntities(Devices.pool, DeviceReport())
        #expect(
            entities.names == [
                "button identify", "button start-program", "select start-program__program",
                "vacuum vacuum",
            ])
        #expect(
            entities.entity(.select, "start-program__program")?.members["options"]
                == ["floor", "walls", "waterline", "full"])
    }

    @Test func storeHasWhatTheEnergyDashboardNeeds() {
        let entities = DeviceEntities(Devices.store, Devices.storeReport)
        let expected: [String: JSONObject] = [
            "chargedKWh": [
                "device_class": "energy", "unit_of_measurement": "kWh",
                "state_class": "total_increasing",
            ],
            "batteryPowerW": [
                "device_class": "power", "unit_of_measurement": "W", "state_class": "measurement",
            ],
            "stateOfChargePercent": [
                "device_class": "battery", "unit_of_measurement": "%",
                "state_class": "measurement",
            ],
            "alarms": [:],
        ]
        for (key, members) in expected {
            #expect(entities.entity(.sensor, key)?.members == members, "\(key)")
        }
        #expect(entities.entity(.vacuum, "vacuum") == nil)
    }

    @Test func settingsShowTheMembersThatReportThem() {
        let entities = DeviceEntities(Devices.store, Devices.storeReport)
        let readings = Dictionary(
            entities.all.filter { $0.members["entity_category"] == "config" }
                .map { ($0.key, $0.reading) }
        ) { $1 }
        #expect(
            readings == [
                "set-mode": .choice(
                    "mode", of: ["self-consumption", "backup", "time-of-use", "idle"]),
                "set-charge-limit": .number("chargeLimitPercent"),
                "set-reserve": .number("reservePercent"),
                "set-islanding": .truth("gridConnected", isNegated: true), "identify": .none,
            ])
        #expect(
            entities.entity(.number, "set-charge-limit")?.members == [
                "min": 50, "max": 100, "step": 1, "mode": "box", "unit_of_measurement": "%",
                "entity_category": "config",
            ])
        // What a setting shows is no sensor beside it.
        #expect(entities.entity(.sensor, "mode") == nil)
        #expect(entities.entity(.binarySensor, "gridConnected") == nil)
    }

    @Test func actionsThatNeedNumbersGetThemFromNumbers() {
        let entities = DeviceEntities(Devices.store, Devices.storeReport)
        let power = entities.entity(.number, "charge__powerW")
        #expect(
            power?.members == [
                "min": 0, "max": 2500, "step": 1, "mode": "box", "unit_of_measurement": "W",
            ])
        #expect(power?.name == "Charge: Power")
        #expect(entities.entity(.button, "charge") != nil)
    }

    @Test func unknownKindIsMappedByItsSchemas() {
        let profile = Devices.profile(
            "lamp-1", DeviceKind(rawValue: "lamp"),
            [
                CommandSpecification(
                    name: CommandName(rawValue: "set-brightness"),
                    arguments: .members(["brightness": .integer(1...254)]), sort: .setting),
                CommandSpecification(
                    name: CommandName(rawValue: "set-color_mode"),
                    arguments: .members(["value": .oneOf(["xy", "hs"])]), sort: .setting),
                CommandSpecification.bare(CommandName(rawValue: "blink")),
                // What no entity can hold is left to send_command.
                CommandSpecification(
                    name: CommandName(rawValue: "set-password"),
                    arguments: .members([
                        "value": ArgumentSchema(type: .string, isWriteOnly: true)
                    ]), sort: .setting),
                CommandSpecification(
                    name: CommandName(rawValue: "play"),
                    arguments: .members(["tune": ArgumentSchema(type: .string)]), sort: .action),
            ])
        let report = DeviceReport(state: ["brightness": 20, "linkquality": 80, "deep": [:]])
        #expect(
            DeviceEntities(profile, report).names == [
                "button blink", "number set-brightness", "select set-color_5fmode",
                "sensor linkquality",
            ])
        let entities = DeviceEntities(profile, report)
        #expect(entities.entity(.number, "set-brightness")?.reading == .number("brightness"))
        #expect(entities.entity(.select, "set-color_5fmode")?.reading == .unreported)
    }

    @Test(arguments: [
        ("batteryPercent", "Battery"), ("stateOfChargePercent", "State of charge"),
        ("chargedKWh", "Charged energy"), ("batteryPowerW", "Battery power"),
        ("waterTemperatureC", "Water temperature"), ("linkquality", "Linkquality"),
        ("motorCurrentA", "Motor current"), ("depthM", "Depth"), ("ROOM", "Room"),
        ("cleaningSeconds", "Cleaning time"), ("storedKWh", "Stored"),
    ])
    func signalsHaveNamesForPeople(member: String, name: String) {
        let profile = Devices.profile("any", DeviceKind(rawValue: "any"), [])
        let entities = DeviceEntities(profile, DeviceReport(telemetry: [member: 1]))
        #expect(entities.all.first?.name == name)
    }

    @Test func memberThatIsNullKeepsItsForm() {
        var seen = SeenMembers(DeviceReport(state: ["remainingMinutes": nil, "program": nil]))
        #expect(seen.forms == ["remainingMinutes": .unknown, "program": .unknown])
        seen.add(DeviceReport(state: ["remainingMinutes": 3, "program": "full"]))
        seen.add(DeviceReport(state: ["remainingMinutes": nil, "program": nil]))
        #expect(seen.forms == ["remainingMinutes": .number, "program": .text])
        #expect(!seen.hasTelemetry)
    }
}
