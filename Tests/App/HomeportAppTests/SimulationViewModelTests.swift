import AppCoordination
import Homeport
import SharedPresentation
import SimulationPresentation
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct SimulationViewModelTests {
    private let slow = ScriptedFleet.slow.name
    private let gone = Failure("the fleet is gone", .startFleet)

    /// A robot of the home, and its simulation, whose fleet is asked for the first time.
    private func withRobot(
        isSimulated: Bool = true,
        _ body: (ScriptedApp, SimulatedPlace, SimulationViewModel) async throws -> Void
    ) async throws {
        try await ScriptedApp.run(announcing: [("sweeper-s1", "sweeper-1")]) { app in
            let id = try DeviceID("sweeper-1")
            await until { app.memory.devices[id] != nil }
            let channel = try ChannelID("test")
            let place = SimulatedPlace(
                home: app.home.id, device: id, broker: app.home.address(of: channel))
            if isSimulated { app.fleet.simulate(place) }
            let model = try #require(app.app.simulation).device(id)
            #expect(model.state == .loading)
            await model.appeared()
            try await body(app, place, model)
        }
    }

    @Test func aSimulatedDeviceHasAFormForEachFault() async throws {
        try await withRobot { _, _, model in
            #expect(model.state.content?.faults == [])
            #expect(model.forms.map(\.fault) == [ScriptedFleet.slow, ScriptedFleet.reboot])
            #expect(model.forms.map { $0.fields.map(\.name) } == [["delayMs", "for"], []])
        }
    }

    @Test func aDeviceThatNoFleetSimulatesHasNone() async throws {
        try await withRobot(isSimulated: false) { app, _, model in
            #expect(model.state == .empty)
            #expect(model.forms.isEmpty)
            #expect(await model.injectButtonTapped(slow) == false)
            #expect(model.failure?.remedy == .lookAgain)
            #expect(app.fleet.requests.isEmpty)
        }
    }

    @Test(arguments: ["home", "device", "broker"])
    func theNamesakeOfASimulatedDeviceHasNone(other: String) async throws {
        try await withRobot(isSimulated: false) { app, place, model in
            app.fleet.simulate(
                SimulatedPlace(
                    home: other == "home" ? try HomeID("home-2") : place.home,
                    device: other == "device" ? try DeviceID("sweeper-2") : place.device,
                    broker: other == "broker" ? "mqtt://127.0.0.1:1884" : place.broker))
            await model.appeared()
            #expect(model.state == .empty)
        }
    }

    @Test func aFaultHappensAsItWasEnteredAndEnds() async throws {
        try await withRobot { app, place, model in
            model.fieldChanged("delayMs", of: slow, to: "500")
            model.fieldChanged("for", of: slow, to: "1.5")
            model.fieldChanged("no-such-field", of: slow, to: "1")
            #expect(await model.injectButtonTapped(slow))
            let order = FaultOrder(
                fault: slow, settings: ["delayMs": 500], lasting: .milliseconds(1500))
            #expect(app.fleet.requests == [.inject(order, place)])
            #expect(model.state.content?.faults.map(\.name) == [slow])
            #expect(model.form(slow)?.fields.map(\.text) == ["", ""])
            await model.endButtonTapped(slow)
            #expect(app.fleet.requests.last == .end(slow, place))
            #expect(model.state.content?.faults == [])
        }
    }

    @Test func withoutAnEntryTheFleetDecides() async throws {
        try await withRobot { app, place, model in
            #expect(await model.injectButtonTapped(slow))
            let order = FaultOrder(fault: slow, settings: [:], lasting: nil)
            #expect(app.fleet.requests == [.inject(order, place)])
        }
    }

    @Test(arguments: ["0", "600001", "much", "nan", "1,5", "-1"])
    func aWrongEntryReachesNoFleet(text: String) async throws {
        try await withRobot { app, _, model in
            model.fieldChanged("delayMs", of: slow, to: text)
            #expect(await model.injectButtonTapped(slow) == false)
            #expect(model.form(slow)?.fields.map(\.isWrong) == [true, false])
            #expect(model.form(slow)?.fields.map(\.text) == [text, ""])
            #expect(app.fleet.requests.isEmpty && model.failure == nil)
            model.fieldChanged("delayMs", of: slow, to: "1")
            #expect(model.form(slow)?.fields.map(\.isWrong) == [false, false])
        }
    }

    @Test func aFleetThatDoesNotAnswerIsSaidWhereItIsKnown() async throws {
        try await withRobot { app, _, model in
            app.fleet.fail(gone)
            for _ in 0..<2 {
                await model.appeared()
                #expect(model.state == .failed(gone))
            }
            app.fleet.fail(nil)
            await model.appeared()
            #expect(model.state.content != nil)
        }
        try await withRobot(isSimulated: false) { app, _, model in
            app.fleet.fail(gone)
            await model.appeared()
            #expect(model.state == .empty)
        }
    }

    @Test func whatTheFleetRefusesIsSaidAndKept() async throws {
        try await withRobot { app, _, model in
            model.fieldChanged("delayMs", of: slow, to: "7")
            app.fleet.fail(gone)
            #expect(await model.injectButtonTapped(slow) == false)
            #expect(model.failure == gone)
            app.fleet.fail(nil)
            await model.appeared()
            #expect(model.form(slow)?.fields.first?.text == "7")
            #expect(await model.injectButtonTapped(slow))
            #expect(model.failure == nil)
        }
    }

    @Test func aFleetThatIsGoneTakesTheFaultsAlong() async throws {
        try await withRobot { app, _, model in
            app.fleet.simulate(nil)
            await model.appeared()
            #expect(model.state == .empty)
        }
    }

    @Test func whatOnePersonEntersAnotherDoesNotSee() async throws {
        try await withRobot { app, place, model in
            let other = try #require(app.app.simulation).device(place.device)
            model.fieldChanged("delayMs", of: slow, to: "7")
            #expect(other.form(slow)?.fields.first?.text == "")
            #expect(await other.injectButtonTapped(slow))
            #expect(model.state == other.state)
        }
    }

    @Test func withoutThePartTheAppIsSmaller() async throws {
        try await ScriptedApp.run(hasSimulation: false) { app in
            #expect(app.app.simulation == nil)
        }
    }
}
