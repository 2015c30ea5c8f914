import DeviceControlPresentation
import Homeport
import HomeportTesting
import Observation
import SharedPresentation
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct HomeViewModelTests {
    @Test func devicesAreGroupedByKind() async throws {
        let models = [
            ("store-e5", "store-1"), ("sweeper-s1", "sweeper-2"), ("sweeper-s1", "sweeper-1"),
        ]
        try await ScriptedApp.run(announcing: models) { app in
            let home = try app.devices.home
            await until { app.memory.devices.count == 3 }
            let content = try #require(home.state.content)
            #expect(content.groups.map(\.heading) == [.kind(.energyStore), .kind(.sweepingRobot)])
            #expect(content.groups[1].devices.map(\.id.text) == ["sweeper-1", "sweeper-2"])
            #expect(content.groups[0].devices[0].presence == .online)
        }
    }

    @Test func devicesAreGroupedByRoomOnceThereAreRooms() async throws {
        let models = [("sweeper-s1", "sweeper-1"), ("store-e5", "store-1")]
        try await ScriptedApp.run(announcing: models) { app in
            let (home, rooms) = (try app.devices.home, try app.devices.rooms)
            await until { app.memory.devices.count == 2 && app.memory.isRecalled }
            #expect(rooms.state == .empty)
            await rooms.addButtonTapped("Kitchen")
            await rooms.addButtonTapped("Cellar")
            let robot = try app.devices.device(try DeviceID("sweeper-1"))
            #expect(await robot.labelSaved(name: " Robbie ", room: "Kitchen"))
            await until { home.state.content?.groups.last?.devices.map(\.id.text) == ["store-1"] }
            let groups = try #require(home.state.content?.groups)
            #expect(groups.map(\.heading) == [.room("Cellar"), .room("Kitchen"), .noRoom])
            #expect(groups.map { $0.devices.map(\.name) } == [[], ["Robbie"], ["store-1"]])
            #expect(rooms.state.content?.map(\.name) == ["Cellar", "Kitchen"])
            await rooms.removeButtonTapped("Kitchen")
            await until { home.state.content?.groups.last?.devices.count == 2 }
            // The name stays, and an empty one takes it back.
            #expect(robot.label.name?.text == "Robbie")
            #expect(await robot.labelSaved(name: "", room: ""))
            await until { robot.label.isEmpty }
        }
    }

    @Test func aNameThatCannotBeOneIsRefusedAndStaysInItsField() async throws {
        let models = [("sweeper-s1", "sweeper-1"), ("sweeper-s1", "sweeper-2")]
        try await ScriptedApp.run(announcing: models) { app in
            await until { app.memory.devices.count == 2 }
            let rooms = try app.devices.rooms
            await rooms.addButtonTapped("two\nlines")
            #expect(rooms.failure?.code == "given-name" && rooms.entry == "two\nlines")
            await rooms.addButtonTapped("Hall")
            await rooms.addButtonTapped("HALL")
            #expect(rooms.failure?.code == "name-taken" && rooms.entry == "HALL")
            let robot = try app.devices.device(try DeviceID("sweeper-1"))
            #expect(await robot.labelSaved(name: "sweeper-2", room: "") == false)
            guard case .failed(let failure) = robot.notice else {
                Issue.record("the id of another device is taken as a name")
                return
            }
            #expect(failure.remedy == .changeEntry)
            #expect(await robot.labelSaved(name: "Robbie", room: "Attic") == false)
        }
    }

    @Test(arguments: [
        ("docked", ["start-cleaning"]), ("idle", ["start-cleaning", "return-to-dock"]),
        ("cleaning", ["pause", "return-to-dock"]), ("returning", ["pause"]),
        ("paused", ["resume", "return-to-dock"]), ("error", []),
    ])
    func atMostTwoCommandsFitTheState(activity: String, fitting: [String]) async throws {
        try await ScriptedApp.run(announcing: [("sweeper-s1", "sweeper-1")]) { app in
            await until { app.memory.devices.count == 1 }
            let robot = try #require(app.memory.allDevices.first)
            try app.deliver(
                .state(StateReport(["activity": .string(activity)], revision: 2)),
                from: "sweeper-1")
            await until { robot.summary.activity == activity }
            #expect(robot.summary.fitting.map(\.name.rawValue) == fitting)
            // A device that is away would do nothing.
            try app.deliver(.presence(Presence(.offline)), from: "sweeper-1")
            await until { robot.presence == .offline }
            #expect(robot.summary.fitting.isEmpty)
        }
    }

    @Test func aStoreOffersItsReserveAndAPoolRobotItsPrograms() async throws {
        let models = [("store-e5", "store-1"), ("pool-c1", "pool-1")]
        try await ScriptedApp.run(announcing: models) { app in
            await until { app.memory.devices.count == 2 }
            let (pool, store) = (app.memory.allDevices[0], app.memory.allDevices[1])
            let state = StateReport(["mode": "backup", "reservePercent": 25], revision: 2)
            try app.deliver(.state(state), from: "store-1")
            try app.deliver(.state(StateReport(["activity": "idle"], revision: 2)), from: "pool-1")
            await until { store.summary.activity == "backup" && pool.summary.activity == "idle" }
            let reserve = try #require(store.summary.fitting.first)
            #expect(reserve.name == .setReserve && reserve.needsEntry && reserve.percent == 25)
            #expect(pool.summary.fitting.map(\.name) == [.startProgram, .surface])
            #expect(pool.summary.fitting.map(\.needsEntry) == [true, false])
        }
    }

    @Test func anEmptyHomeIsEmptyOnlyOnceTheLinkWorks() async throws {
        try await ScriptedApp.run { app in
            let home = try app.devices.home
            #expect(home.state == .loading)
            await until { home.state == .empty }
        }
    }

    @Test func aLostLinkOfAnEmptyHomeIsAFailureWithARemedy() async throws {
        try await ScriptedApp.run { app in
            let home = try app.devices.home
            await until { home.state == .empty }
            app.channel.loseLink(retryIn: .seconds(60))
            await until { home.state != .empty }
            guard case .failed(let failure) = home.state else {
                Issue.record("the home is \(home.state)")
                return
            }
            #expect(failure.remedy == .checkConnection)
            #expect(try app.devices.channels.state.content?.first?.id.text == "test")
        }
    }

    @Test func aLostLinkNeedsAttentionOnceAndNotForEachDevice() async throws {
        let models = [("sweeper-s1", "sweeper-1"), ("sweeper-s1", "sweeper-2")]
        try await ScriptedApp.run(announcing: models) { app in
            let home = try app.devices.home
            let presences = { app.memory.devices.values.map(\.presence) }
            await until { presences() == [.online, .online] }
            app.channel.loseLink(retryIn: .seconds(60))
            let doubt = DevicePresence.doubtful(wasOnline: true)
            await until {
                presences() == [doubt, doubt] && app.memory.links.values.first != .connected
            }
            let attention = try #require(home.state.content?.attention)
            #expect(attention.count == 1 && attention.first?.device == nil, "\(attention)")
            app.channel.restoreLink()
        }
    }

    @Test func whatWasKnownIsThereBeforeTheLink() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file("\(folder.path)/ledger.sqlite")
        try await ScriptedApp.run(
            ledger: ledger, announcing: [("sweeper-s1", "sweeper-1")]
        ) { app in
            await until { app.memory.devices.count == 1 }
            try await app.home.rememberDevices()
        }
        try await ScriptedApp.run(connected: false, ledger: ledger) { app in
            let home = try app.devices.home
            await until { home.state.content != nil }
            let device = try #require(home.state.content?.groups.first?.devices.first)
            #expect(device.isRemembered)
            let robot = try #require(app.memory.devices[device.id])
            #expect(device.rememberedSince != nil)
            #expect(robot.freshness == .remembered(since: device.rememberedSince))
            let later = try #require(device.rememberedSince).advanced(by: .seconds(60))
            #expect(robot.freshness.age(at: later) == .seconds(60))
            #expect(device.presence == .unknown)
            #expect(device.kind == .sweepingRobot)
            app.channel.restoreLink()
            try app.announce("sweeper-s1", as: "sweeper-1", name: "Kitchen")
            await until { home.state.content?.groups.first?.devices.first?.name == "Kitchen" }
        }
    }

    @Test func aDeviceThatLeavesIsRemovedEverywhere() async throws {
        try await ScriptedApp.run(announcing: [("sweeper-s1", "sweeper-1")]) { app in
            let robot = try app.devices.device(try DeviceID("sweeper-1"))
            await until { robot.state.content != nil }
            try app.deliver(.removed, from: "sweeper-1")
            await until { robot.state == .empty }
            #expect(try app.devices.home.state == .empty)
        }
    }

    @Test func whatNeedsAttentionIsNamedWithItsReasonTheWorstFirst() async throws {
        try await ScriptedApp.run(announcing: [("sweeper-s1", "sweeper-1")]) { app in
            await until { app.memory.devices.count == 1 }
            try app.deliver(
                .telemetry(TelemetryReport(["batteryPercent": 4])), from: "sweeper-1")
            try app.deliver(
                .state(StateReport(["error": "WHEEL_STUCK"], revision: 2)), from: "sweeper-1")
            let home = try app.devices.home
            await until { home.state.content?.attention.count == 2 }
            #expect(
                home.state.content?.attention.map(\.reason)
                    == [.error("WHEEL_STUCK"), .lowBattery(4)])
            #expect(home.state.content?.attention.first?.isBad == true)
        }
    }

    @Test func aSampleThatChangesNothingOnTheScreenLeavesTheHomeAlone() async throws {
        try await ScriptedApp.run(announcing: [("sweeper-s1", "sweeper-1")]) { app in
            await until { app.memory.devices.count == 1 }
            let (home, robot) = (try app.devices.home, try #require(app.memory.allDevices.first))
            let charge = { robot.known.telemetry?.values["batteryPercent"]?.number }
            let measure = { (percent: Double) in
                let report = TelemetryReport(["batteryPercent": .number(percent)])
                try app.deliver(.telemetry(report), from: "sweeper-1")
                await until { charge() == percent }
            }
            let (events, add) = AsyncStream<String>.makeStream()
            try await measure(80.2)
            withObservationTracking {
                _ = home.state
            } onChange: {
                add.yield("changed")
            }
            try await measure(80.3)
            add.yield("80.3 %")
            try await measure(81)
            add.finish()
            var seen: [String] = []
            for await event in events { seen.append(event) }
            #expect(seen == ["80.3 %", "changed"])
        }
    }
}
