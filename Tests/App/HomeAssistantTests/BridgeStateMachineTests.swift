import Homeport
import Testing

@testable import HomeAssistant

@Suite struct BridgeStateMachineTests {
    private let topics = Devices.topics
    private var machine = BridgeStateMachine(Devices.topics)

    @Test mutating func deviceIsAnnouncedOnceAndThenOnlyItsChanges() {
        let first = announce(Devices.store, Devices.storeReport)
        #expect(first.contains { $0.topic.hasSuffix("store-1_set-mode/config") })
        #expect(Set(first.map(\.topic)).count == first.count)
        #expect(announce(Devices.store, Devices.storeReport).isEmpty)
        var report = Devices.storeReport
        report.telemetry?["voltageV"] = 52
        #expect(
            announce(Devices.store, report).map(\.topic) == [topics.state(of: .named("store-1"))])
        report.connection = .unknown
        #expect(
            announce(Devices.store, report)
                == [.availability(.unknown, of: .named("store-1"), topics)])
    }

    @Test mutating func aNewNameIsAnnounced() throws {
        _ = announce(Devices.store, Devices.storeReport)
        let (id, label) = (Devices.store.id, DeviceLabel(name: try GivenName("Cellar")))
        #expect(!machine.changed(id, Devices.store, Devices.storeReport, label).isEmpty)
        #expect(machine.changed(id, Devices.store, Devices.storeReport, label).isEmpty)
    }

    @Test mutating func signalThatAppearsIsAnnounced() {
        _ = announce(Devices.store, DeviceReport(state: Devices.storeReport.state))
        let topics = announce(Devices.store, Devices.storeReport).map(\.topic)
        #expect(topics.contains("homeassistant/sensor/homeport-villa/store-1_chargedKWh/config"))
        #expect(!topics.contains("homeassistant/select/homeport-villa/store-1_set-mode/config"))
    }

    @Test mutating func entityThatGoesAwayIsRemoved() {
        _ = announce(Devices.store, Devices.storeReport)
        let less = Devices.profile("store-1", .energyStore, [])
        let documents = announce(less, Devices.storeReport)
        #expect(
            documents.contains(
                .cleared("homeassistant/select/homeport-villa/store-1_set-mode/config")))
    }

    @Test mutating func birthAndReconnectAnnounceEverythingAgain() {
        let first = Set(announce(Devices.sweeper, Devices.sweeperReport))
        #expect(Set(published(machine.received("homeassistant/status", "online"))) == first)
        #expect(machine.received("homeassistant/status", "offline").isEmpty)
        let again = published(machine.connected())
        #expect(again.first == BridgeDocument(topics.status, "online"))
        #expect(Set(again.dropFirst()) == first)
    }

    @Test(arguments: [true, false])
    mutating func removedDeviceLeavesNothing(byRemoval: Bool) {
        let first = announce(Devices.sweeper, Devices.sweeperReport)
        let removal =
            byRemoval
            ? machine.removed(.named("sweeper-1"))
            : machine.changed(.named("sweeper-1"), nil, DeviceReport())
        let states = topics.states(of: .named("sweeper-1"))
        let configs = first.map(\.topic).filter { !states.contains($0) }
        #expect(Set(published(removal)) == Set(configs.map(BridgeDocument.cleared)))
        #expect(removal.last == .tidyLater(.named("sweeper-1")))
        let tidied = published(machine.tidied(.named("sweeper-1")))
        #expect(tidied == states.map(BridgeDocument.cleared))
        #expect(machine.removed(.named("sweeper-1")).isEmpty)
        #expect(published(machine.connected()).count == 1)
    }

    // MARK: Earlier runs

    @Test mutating func descriptionsOfDevicesThatAreGoneAreRemovedWhenAllAreKnown() {
        let gone = topics.discovery(.named("gone-1"), .sensor, "x")
        let availability = topics.availability(of: .named("gone-1"))
        for topic in [gone, availability] {
            #expect(machine.received(topic, "{}", retained: true).isEmpty)
        }
        _ = announce(Devices.store, Devices.storeReport)
        let expected: Set<BridgeStateMachine.Action> = [
            .publish(.cleared(gone)), .tidyLater(.named("gone-1")),
        ]
        #expect(Set(machine.surveyed()) == expected)
        #expect(machine.surveyed().isEmpty)
        // One that comes later is removed at once; what the bridge itself removed is no news.
        #expect(machine.received(gone, "{}", retained: true) == [.publish(.cleared(gone))])
        #expect(machine.received(gone, "").isEmpty)
    }

    @Test(arguments: [true, false])
    mutating func descriptionsThatAKnownDeviceHasNoMoreAreRemoved(heardFirst: Bool) {
        let old = topics.discovery(.named("store-1"), .sensor, "oldSignal")
        let current = topics.discovery(.named("store-1"), .sensor, "voltageV")
        let state = DeviceReport(state: Devices.storeReport.state)
        if !heardFirst { _ = announce(Devices.store, state) }
        for topic in [old, current] {
            #expect(machine.received(topic, "{}", retained: true).isEmpty)
        }
        if heardFirst {
            // Before the first sample the device may still have the signal.
            #expect(!announce(Devices.store, state).contains { $0.payload.isEmpty })
        }
        let removed = announce(Devices.store, Devices.storeReport).filter(\.payload.isEmpty)
        #expect(removed == [.cleared(old)])
    }

    // MARK: Commands

    @Test(
        arguments: [
            ("vacuum/vacuum", "start", "start-cleaning", [:]),
            ("vacuum/vacuum", "pause", "pause", [:]), ("vacuum/vacuum", "stop", "stop", [:]),
            ("vacuum/vacuum", "return_to_base", "return-to-dock", [:]),
            ("vacuum/vacuum", "locate", "locate", [:]),
            ("vacuum/fan", "turbo", "set-suction-level", ["level": "turbo"]),
            ("button/start-cleaning__rooms__2", "PRESS", "start-cleaning", ["rooms": [2]]),
            ("button/identify", "PRESS", "identify", [:]),
            ("button/clean-spot", "PRESS", "clean-spot", ["x": 8, "y": 6]),
        ] as [(String, String, String, JSONObject)])
    mutating func commandsOfASweeper(
        entity: String, payload: String, command: String, arguments: JSONObject
    ) {
        _ = announce(Devices.sweeper, Devices.sweeperReport)
        let topic = "homeport/home-assistant/villa/sweeper-1/\(entity)/set"
        #expect(
            machine.received(topic, payload)
                == [.send(CommandName(rawValue: command), arguments, to: .named("sweeper-1"))])
    }

    @Test mutating func startOfAPausedRobotResumesIt() {
        let report = DeviceReport(state: ["activity": "paused"])
        _ = announce(Devices.sweeper, report)
        let topic = topics.command(.named("sweeper-1"), .vacuum, "vacuum")
        #expect(machine.received(topic, "start") == [.send(.resume, [:], to: .named("sweeper-1"))])
    }

    @Test(
        arguments: [
            ("select/set-mode", "backup", "set-mode", ["mode": "backup"]),
            ("number/set-reserve", "25", "set-reserve", ["percent": 25]),
            ("number/set-reserve", "25.0", "set-reserve", ["percent": 25]),
            ("switch/set-islanding", "ON", "set-islanding", ["enabled": true]),
            ("switch/set-islanding", "OFF", "set-islanding", ["enabled": false]),
        ] as [(String, String, String, JSONObject)])
    mutating func settingsOfAStore(
        entity: String, payload: String, command: String, arguments: JSONObject
    ) {
        _ = announce(Devices.store, Devices.storeReport)
        let topic = "homeport/home-assistant/villa/store-1/\(entity)/set"
        #expect(
            machine.received(topic, payload)
                == [.send(CommandName(rawValue: command), arguments, to: .named("store-1"))])
    }

    @Test mutating func keptArgumentIsShownAndSent() {
        _ = announce(Devices.store, Devices.storeReport)
        let number = topics.command(.named("store-1"), .number, "charge__powerW")
        let shown = published(machine.received(number, "800"))
        #expect(shown.map(\.topic) == [topics.state(of: .named("store-1"))])
        #expect(shown.first?.members["number"]?.object?["charge__powerW"] == 800)
        let button = topics.command(.named("store-1"), .button, "charge")
        #expect(
            machine.received(button, "PRESS")
                == [.send(.charge, ["powerW": 800], to: .named("store-1"))])
    }

    @Test(
        arguments: [
            ("vacuum/vacuum", "clean_spot", HomeAssistantError.Code.badPayload),
            ("vacuum/fan", "hurricane", .badPayload), ("button/identify", "press", .badPayload),
            ("number/move-to__x", "9", .badPayload), ("number/move-to__x", "NaN", .badPayload),
            ("number/move-to__x", "{}", .badPayload), ("number/nothing", "1", .unknownEntity),
            ("sensor/error", "x", .badPayload),
        ] as [(String, String, HomeAssistantError.Code)])
    mutating func refusedCommandPutsTheTrueStateBack(
        entity: String, payload: String, code: HomeAssistantError.Code
    ) {
        _ = announce(Devices.sweeper, Devices.sweeperReport)
        let topic = "homeport/home-assistant/villa/sweeper-1/\(entity)/set"
        let actions = machine.received(topic, payload)
        #expect(actions.errors == [code])
        #expect(
            published(actions).map(\.topic) == [
                topics.state(of: .named("sweeper-1")), topics.vacuum(of: .named("sweeper-1")),
            ])
    }

    @Test mutating func retainedCommandIsNotCarriedOut() {
        _ = announce(Devices.sweeper, Devices.sweeperReport)
        let topic = topics.command(.named("sweeper-1"), .vacuum, "vacuum")
        #expect(machine.received(topic, "start", retained: true).errors == [.retainedCommand])
        #expect(machine.received(topic, "").isEmpty)
    }

    @Test mutating func unknownDeviceTakesNoCommands() {
        #expect(
            machine.received(topics.send(to: .named("nobody")), "locate").errors == [.unknownEntity]
        )
    }

    @Test(
        arguments: [
            ("locate", "locate", [:]), (#"{"command":"locate"}"#, "locate", [:]),
            (#"{"command":"start-cleaning","rooms":[1]}"#, "start-cleaning", ["rooms": [1]]),
        ] as [(String, String, JSONObject)])
    mutating func commandByItsOwnName(payload: String, command: String, arguments: JSONObject) {
        _ = announce(Devices.sweeper, Devices.sweeperReport)
        #expect(
            machine.received(topics.send(to: .named("sweeper-1")), payload)
                == [.send(CommandName(rawValue: command), arguments, to: .named("sweeper-1"))])
    }

    @Test(arguments: ["{", "a b", "{}", #"{"command":1}"#, #"{"command":"a","command":"b"}"#])
    mutating func commandThatCannotBeReadIsRefused(payload: String) {
        _ = announce(Devices.sweeper, Devices.sweeperReport)
        #expect(
            machine.received(topics.send(to: .named("sweeper-1")), payload).errors == [.badPayload])
    }

    @Test mutating func failedCommandPutsTheTrueStateBack() {
        _ = announce(Devices.store, Devices.storeReport)
        #expect(
            published(machine.commandEnded(of: .named("store-1"))).map(\.topic)
                == [topics.state(of: .named("store-1"))])
        #expect(machine.commandEnded(of: .named("nobody")).isEmpty)
    }

    // MARK: Short forms

    private mutating func announce(
        _ profile: DeviceProfile, _ report: DeviceReport
    ) -> [BridgeDocument] {
        published(machine.changed(profile.id, profile, report))
    }

    private func published(_ actions: [BridgeStateMachine.Action]) -> [BridgeDocument] {
        actions.compactMap { if case .publish(let document) = $0 { document } else { nil } }
    }
}

extension BridgeStateMachine {
    fileprivate mutating func received(
        _ topic: String, _ payload: String, retained: Bool = false
    ) -> [Action] {
        received(topic, Array(payload.utf8), retained: retained)
    }
}

extension [BridgeStateMachine.Action] {
    fileprivate var errors: [HomeAssistantError.Code] {
        compactMap { if case .report(let error) = $0 { error.code } else { nil } }
    }
}
