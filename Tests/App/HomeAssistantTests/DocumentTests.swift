import Homeport
import Testing

@testable import HomeAssistant

@Suite struct DocumentTests {
    private let topics = Devices.topics

    @Test func descriptionNamesTopicsAndDevice() throws {
        let entities = DeviceEntities(Devices.store, Devices.storeReport)
        let entity = try #require(entities.entity(.number, "set-reserve"))
        let document = BridgeDocument.discovery(entity, of: Devices.store, topics)
        #expect(
            document.topic
                == "homeassistant/number/homeport-villa/store-1_set-reserve/config")
        let base = "homeport/home-assistant/villa"
        #expect(
            document.members == [
                "unique_id": "homeport_villa_store-1_number_set-reserve", "name": "Reserve",
                "min": 0, "max": 100, "step": 1, "mode": "box", "unit_of_measurement": "%",
                "entity_category": "config", "qos": 1, "origin": ["name": "Homeport"],
                "availability_mode": "all",
                "availability": [
                    ["topic": .string("\(base)/status")],
                    ["topic": .string("\(base)/store-1/availability")],
                ],
                "state_topic": .string("\(base)/store-1/state"),
                "value_template": "{{ value_json.get('number', {}).get('set-reserve') }}",
                "command_topic": .string("\(base)/store-1/number/set-reserve/set"),
                "device": [
                    "identifiers": ["homeport_villa_store-1"], "name": "Rob", "model": "m1",
                    "sw_version": "1.2",
                ],
            ])
    }

    @Test func vacuumHasItsThreeTopics() throws {
        let entities = DeviceEntities(Devices.sweeper, Devices.sweeperReport)
        let entity = try #require(entities.entity(.vacuum, "vacuum"))
        let members = BridgeDocument.discovery(entity, of: Devices.sweeper, topics).members
        let base = "homeport/home-assistant/villa/sweeper-1"
        #expect(members["state_topic"] == .string("\(base)/vacuum"))
        #expect(members["command_topic"] == .string("\(base)/vacuum/vacuum/set"))
        #expect(members["set_fan_speed_topic"] == .string("\(base)/vacuum/fan/set"))
        #expect(members["send_command_topic"] == .string("\(base)/send"))
        #expect(members["value_template"] == nil)
    }

    @Test func aDeviceHasTheNameAndRoomOfItsUser() throws {
        let entities = DeviceEntities(Devices.store, Devices.storeReport)
        let entity = try #require(entities.entity(.number, "set-reserve"))
        func device(_ label: DeviceLabel) -> JSONObject? {
            BridgeDocument.discovery(entity, of: Devices.store, topics, label)
                .members["device"]?.object
        }
        let named = device(DeviceLabel(name: try GivenName("Cellar"), room: try GivenName("Hall")))
        #expect(named?["name"] == "Cellar" && named?["suggested_area"] == "Hall")
        let plain = device(DeviceLabel())
        #expect(plain?["name"] == .string(Devices.store.name) && plain?["suggested_area"] == nil)
        #expect(named?["identifiers"] == plain?["identifiers"])
    }

    @Test func hostileNamesStayData() throws {
        let name = "\"}, {{ states.light }} </script>\u{202e}\n"
        let profile = Devices.profile(
            "evil", DeviceKind(rawValue: "x"),
            [.bare(CommandName(rawValue: "a/b#+'{{ 1 }}"))], name: name)
        let entities = DeviceEntities(profile, DeviceReport(telemetry: ["'] }}{{ 7*7 }}": 1]))
        for entity in entities.all {
            let document = BridgeDocument.discovery(entity, of: profile, topics)
            #expect(document.members["device"]?.object?["name"] == .string(name))
            #expect(document.topic.split(separator: "/").count == 5)
            #expect(
                document.topic.utf8.allSatisfy { TopicWord.isPlain($0) || "/_".utf8.contains($0) })
            let template = document.members["value_template"]?.string ?? "{{ }}"
            #expect(template.components(of: "{{") == 1 && template.components(of: "}}") == 1)
        }
        #expect(entities.all.count == 2)
    }

    @Test func stateHasEveryEntityOfEachForm() throws {
        let entities = DeviceEntities(Devices.store, Devices.storeReport)
        let draft = try #require(entities.all.compactMap(\.draft).first { $0.command == .charge })
        let members = BridgeDocument.state(
            entities, Devices.storeReport, [draft: 700], of: Devices.store.id, topics
        ).members
        #expect(members["select"]?.object?["set-mode"] == "idle")
        #expect(members["switch"]?.object?["set-islanding"] == "OFF")
        #expect(members["number"]?.object?["charge__powerW"] == 700)
        #expect(members["number"]?.object?["discharge__powerW"] == 2400)
        #expect(members["sensor"]?.object?["alarms"] == "none")
        #expect(members["sensor"]?.object?["chargedKWh"] == 12.5)
        #expect(members["button"] == nil)
    }

    @Test func longTextsAreCutToWhatHomeAssistantTakes() {
        let report = DeviceReport(state: ["note": .string(String(repeating: "ä", count: 300))])
        let profile = Devices.profile("any", DeviceKind(rawValue: "any"), [])
        let entities = DeviceEntities(profile, report)
        let members = BridgeDocument.state(entities, report, [:], of: .named("any"), topics).members
        #expect(members["sensor"]?.object?["note"]?.string?.count == 255)
    }

    @Test(arguments: [
        ("cleaning", "cleaning"), ("docked", "docked"), ("paused", "paused"), ("idle", "idle"),
        ("returning", "returning"), ("error", "error"), ("surfacing", "returning"),
        ("dancing", nil),
    ])
    func vacuumStateIsOneOfHomeAssistants(activity: String, expected: String?) {
        let report = DeviceReport(state: ["activity": .string(activity), "fanSpeed": "max"])
        let entities = DeviceEntities(Devices.sweeper, report)
        let document = BridgeDocument.vacuum(entities, report, of: .named("sweeper-1"), topics)
        #expect(
            document?.members
                == ["state": expected.map(JSONValue.string) ?? .null, "fan_speed": "max"])
    }

    @Test(arguments: [
        (ConnectionState.online(boot: nil), "online"), (.offline(boot: nil), "offline"),
        (.unknown, "offline"),
    ])
    func deviceInDoubtIsUnavailable(connection: ConnectionState, expected: String) {
        #expect(BridgeDocument.availability(connection, of: .named("any"), topics).text == expected)
    }
}

extension Entity {
    fileprivate var draft: Draft? { if case .draft(let draft) = reading { draft } else { nil } }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
