import AppCoordination
import DeviceControlPresentation
import Homeport
import ProvisioningPresentation
import SharedPresentation
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct NavigationTests {
    @Test func theNavigationHasTheEntriesOfEveryPart() async throws {
        try await ScriptedApp.run { app in
            #expect(
                app.app.entries == [
                    .home, .energy, .history, .queue, .schedules, .rules, .channels, .settings,
                    .provisioning,
                ])
        }
    }

    @Test func withoutAPartTheAppIsSmaller() async throws {
        try await ScriptedApp.run(hasProvisioning: false, at: "/provisioning") { app in
            #expect(app.app.entries.contains(.provisioning) == false)
            #expect(app.app.provisioning == nil)
            #expect(app.app.route == Route.provisioning.missing)
            app.app.open(.energy)
            try app.devices.addDeviceButtonTapped()
            #expect(app.app.route == Route.provisioning.missing)
            #expect(app.app.route.path == "/provisioning")
        }
    }

    @Test func anAppWithoutPartsFindsNothing() {
        let app = AppCoordinator([])
        #expect(app.entries.isEmpty)
        #expect(app.route == Route.home.missing)
    }

    @Test func linksBackAndRestartLeadToTheSamePlace() async throws {
        try await ScriptedApp.run(at: "/queue") { app in
            #expect(app.app.route == .queue)
            app.app.linkOpened("/devices/sweeper-1/plan")
            let robot = try DeviceID("sweeper-1")
            #expect(app.app.route == .plan(robot))
            #expect(app.app.place(at: app.app.route.path) == app.app.route)
            app.app.open(.settings)
            app.app.open(.settings)
            app.app.backButtonTapped()
            #expect(app.app.route.path == "/devices/sweeper-1/plan")
            app.app.backButtonTapped()
            app.app.backButtonTapped()
            #expect(app.app.route == .queue)
        }
    }

    @Test func anUnknownLinkIsNotFound() async throws {
        try await ScriptedApp.run { app in
            app.app.linkOpened("/no/such/place")
            guard case .notFound(let path) = app.app.route else {
                Issue.record("the app is at \(app.app.route)")
                return
            }
            #expect(path.text == "/no/such/place")
            app.app.backButtonTapped()
            #expect(app.app.route == .home)
        }
    }

    @Test func thePageOfANewDeviceOpensWhenItsProvisioningEnds() async throws {
        try await ScriptedApp.run { app in
            try app.devices.addDeviceButtonTapped()
            #expect(app.app.route == .provisioning)
            let wizard = try #require(app.app.provisioning).wizard
            let device = try DeviceID("sweeper-9")
            wizard.codeEntered("{}")
            wizard.networkEntered("attic", password: "secret")
            app.provisioning.next(.end(.added(device)))
            await until { wizard.step == .added(device) }
            wizard.doneButtonTapped()
            #expect(app.app.route == .device(device))
            app.app.backButtonTapped()
            #expect(app.app.route == .home)
        }
    }

    @Test func leavingTheWizardLeadsHome() async throws {
        try await ScriptedApp.run { app in
            app.app.open(.provisioning)
            try #require(app.app.provisioning).wizard.cancelButtonTapped()
            #expect(app.app.route == .home)
            #expect(app.app.visited.isEmpty)
        }
    }

    @Test func aForgottenDeviceIsNowhereAnyMore() async throws {
        try await ScriptedApp.run(announcing: [("sweeper-s1", "sweeper-1")]) { app in
            let id = try DeviceID("sweeper-1")
            await until { app.memory.devices[id] != nil }
            try app.deliver(.presence(Presence(.offline)), from: "sweeper-1")
            await until { app.memory.devices[id]?.presence == .offline }
            try await app.home.rememberDevices()
            app.app.open(.device(id))
            app.app.open(.queue)
            app.app.open(.plan(id))
            try await app.devices.forgetButtonTapped(id)
            #expect(app.app.route == .home)
            #expect(app.app.visited == [.home, .queue])
            #expect(app.memory.devices[id] == nil)
            #expect(app.home.latest(id) == nil)
            #expect(try await app.home.rememberedDevices().isEmpty)
            #expect(try app.devices.device(id).state == .empty)
        }
    }

    @Test func aDeviceThatIsOnlineIsNotForgotten() async throws {
        try await ScriptedApp.run(announcing: [("sweeper-s1", "sweeper-1")]) { app in
            let id = try DeviceID("sweeper-1")
            await until { app.memory.devices[id]?.presence == .online }
            let robot = try app.devices.device(id)
            await robot.forgetButtonTapped()
            guard case .failed(let failure) = robot.notice else {
                Issue.record("the notice is \(String(describing: robot.notice))")
                return
            }
            #expect(failure.remedy == .switchDeviceOff)
            #expect(failure.cause.hasPrefix("sweeper-1 is online"))
            #expect(app.memory.devices[id] != nil)
            #expect(app.home.latest(id) != nil)
        }
    }
}
