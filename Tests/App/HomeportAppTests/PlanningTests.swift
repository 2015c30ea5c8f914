import Homeport
import HomeportApp
import HomeportTesting
import SharedPresentation
import TestSupport
import Testing

@testable import DeviceControlPresentation

@MainActor @Suite(.timeLimit(.minutes(1))) struct PlanningTests {
    private func withRobot(_ body: (ScriptedApp, DeviceID) async throws -> Void) async throws {
        try await ScriptedApp.run(announcing: [("sweeper-s1", "sweeper-1")]) { app in
            let id = try DeviceID("sweeper-1")
            await until { app.memory.devices[id] != nil }
            try await body(app, id)
        }
    }

    @Test func aScheduleIsAddedListedAndRemoved() async throws {
        try await withRobot { app, id in
            let schedules = try app.devices.schedules
            await schedules.appeared()
            #expect(schedules.state == .empty)
            schedules.addButtonTapped(.startCleaning, of: id)
            schedules.draft?.time = "08:30"
            schedules.draft?.days = [.monday]
            await schedules.saveButtonTapped()
            #expect(schedules.draft == nil)
            let entry = try #require(schedules.state.content?.first)
            #expect(entry.schedule.rule.description == "08:30 mon")
            #expect(entry.next != nil)
            schedules.editButtonTapped(entry.id)
            #expect(schedules.draft?.time == "08:30" && schedules.draft?.days == [.monday])
            schedules.draft?.time = "09:00"
            schedules.draft?.form.fieldChanged("passes", to: "2")
            await schedules.saveButtonTapped()
            let changed = try #require(schedules.state.content?.first)
            #expect(changed.id == entry.id && changed.schedule.rule.description == "09:00 mon")
            #expect(changed.schedule.command.arguments["passes"] == 2)
            schedules.editButtonTapped(entry.id)
            #expect(schedules.draft?.form.fields.first { $0.name == "passes" }?.text == "2")
            schedules.cancelButtonTapped()
            await schedules.pauseButtonTapped(entry.id)
            #expect(schedules.state.content?.first?.schedule.isPaused == true)
            #expect(schedules.state.content?.first?.next == nil)
            await schedules.resumeButtonTapped(entry.id)
            #expect(schedules.state.content?.first?.next == changed.next)
            await schedules.removeButtonTapped(entry.id)
            #expect(schedules.state == .empty)
            await schedules.removeButtonTapped(entry.id)
            #expect(schedules.failure?.remedy == .lookAgain)
        }
    }

    @Test func aRuleIsAddedTriedPausedAndRemoved() async throws {
        try await withRobot { app, id in
            let rules = try app.devices.rules
            await rules.appeared()
            #expect(rules.state == .empty)
            #expect(rules.kinds == [.sweepingRobot] && rules.devices == [id])
            #expect(rules.receivers.map(\.subject) == [.kind(.sweepingRobot), .device(id)])
            rules.addButtonTapped(.event, .send("no-such-command", to: id))
            #expect(rules.draft == nil)
            rules.addButtonTapped(.event, .sendToEach(.setSuctionLevel, of: .sweepingRobot))
            rules.draft?.name = "quiet"
            await rules.saveButtonTapped()
            #expect(rules.draft?.problem == nil)
            #expect(rules.draft?.form?.fields.first?.problem == .missing)
            rules.draft?.form?.fieldChanged("level", to: "\"quiet\"")
            rules.draft?.tells = true
            await rules.saveButtonTapped()
            #expect(rules.draft == nil)
            let rule = try #require(rules.state.content?.first)
            #expect(rule.plan.scope == .kind(.sweepingRobot))
            #expect(
                rule.plan.actions == [
                    .send(RuleCommand(.setSuctionLevel, ["level": "quiet"])), .notify,
                ])
            // The name is taken.
            rules.addButtonTapped(.offline, .notify)
            rules.draft?.name = "Quiet"
            await rules.saveButtonTapped()
            guard case .refused(let failure) = rules.draft?.problem else {
                Issue.record("a second rule of the name was added")
                return
            }
            #expect(failure.remedy == .changeEntry)
            rules.cancelButtonTapped()
            // Sunrise needs a place.
            rules.addButtonTapped(.sunrise, .send(.returnToDock, to: id))
            rules.draft?.name = "dawn"
            await rules.saveButtonTapped()
            #expect(rules.draft?.problem != nil)
            rules.cancelButtonTapped()
            await rules.testButtonTapped(rule.id)
            guard case .success(let found)? = rules.rehearsals[rule.id]?.result else {
                Issue.record("it was not tried")
                return
            }
            #expect(found.runs.isEmpty && found.deviceCount == 0)
            await rules.pauseButtonTapped(rule.id)
            #expect(rules.state.content?.first?.pause != nil)
            await rules.resumeButtonTapped(rule.id)
            #expect(rules.state.content?.first?.pause == nil)
            await rules.removeButtonTapped(rule.id)
            #expect(rules.state == .empty)
            await rules.removeButtonTapped(rule.id)
            #expect(rules.failure?.remedy == .lookAgain)
        }
    }

    @Test func aRuleAboutWhatIsNotThereIsRefused() async throws {
        try await withRobot { app, id in
            let rules = try app.devices.rules
            rules.addButtonTapped(.event, .notify)
            rules.draft?.name = "rule"
            rules.draft?.scope = nil
            await rules.saveButtonTapped()
            #expect(rules.draft?.problem == .scope)
            let missing: [(RuleScope, String)] = [
                (.room(try GivenName("RoomH")), "unknown-room"),
                (.kind(DeviceKind(rawValue: "nope")), "unknown-device"),
                (.device(try DeviceID("nope")), "unknown-device"),
            ]
            for (scope, code) in missing {
                rules.draft?.scope = scope
                await rules.saveButtonTapped()
                guard case .refused(let failure) = rules.draft?.problem else {
                    Issue.record("a rule about \(scope) was added")
                    return
                }
                #expect(failure.code == code)
            }
            let room = try GivenName("RoomH")
            try await app.home.naming.addRoom(room)
            let present: [(String, RuleScope)] = [
                ("room", .room(room)), ("kind", .kind(.sweepingRobot)), ("device", .device(id)),
            ]
            for (name, scope) in present {
                rules.addButtonTapped(.event, .notify)
                rules.draft?.name = name
                rules.draft?.scope = scope
                await rules.saveButtonTapped()
                #expect(rules.draft == nil, "\(name)")
            }
        }
    }

    @Test(arguments: RuleOccasion.allCases) func everyOccasionMakesARule(_ occasion: RuleOccasion)
        async throws
    {
        try await withRobot { app, id in
            let rules = try app.devices.rules
            for deed in [
                RuleDeed.notify, .send(.locate, to: id), .sendToEach(.locate, of: .sweepingRobot),
            ] {
                rules.addButtonTapped(occasion, deed)
                rules.draft?.name = "rule"
                rules.draft?.member = "batteryPercent"
                rules.draft?.value = "20"
                rules.draft?.time = "08:30"
                rules.draft?.minutes = "5"
                var draft = try #require(rules.draft)
                let plan = try draft.plan()
                #expect(plan.trigger.isOfDevice == occasion.isOfDevice)
                #expect(plan.hold == (occasion.lasts ? .seconds(300) : .zero))
            }
        }
    }

    @Test func aWrongDraftStaysAndSaysWhatIsWrong() async throws {
        try await withRobot { app, id in
            let schedules = try app.devices.schedules
            schedules.addButtonTapped(CommandName(rawValue: "no-such-command"), of: id)
            #expect(schedules.draft == nil)
            schedules.addButtonTapped(.setSuctionLevel, of: id)
            schedules.draft?.time = "25:00"
            await schedules.saveButtonTapped()
            #expect(schedules.draft?.problem == .time)
            schedules.draft?.time = "08:30"
            schedules.draft?.date = "tomorrow"
            await schedules.saveButtonTapped()
            #expect(schedules.draft?.problem == .date)
            schedules.draft?.date = "2001-01-01"
            await schedules.saveButtonTapped()
            #expect(schedules.draft?.problem == nil)
            #expect(schedules.draft?.form.fields.first?.problem == .missing)
            schedules.draft?.form.fieldChanged("level", to: "\"turbo\"")
            await schedules.saveButtonTapped()
            guard case .refused(let failure) = schedules.draft?.problem else {
                Issue.record("a time that has passed is taken")
                return
            }
            #expect(failure.remedy == .changeEntry)
            schedules.cancelButtonTapped()
            #expect(schedules.draft == nil)
        }
    }

    @Test func aCommandForADeviceThatIsAwayIsInTheQueueUntilItIsTakenBack() async throws {
        try await withRobot { app, id in
            try app.deliver(.presence(Presence(.offline)), from: "sweeper-1")
            let queue = try app.devices.queue
            await until { queue.state == .empty }
            await until { app.memory.devices[id]?.presence == .offline }
            try await app.devices.device(id).cleanButtonTapped()
            await until { queue.state != .empty }
            let waiting = try #require(queue.state.content?.waiting.first)
            #expect(waiting.name == .startCleaning)
            #expect(waiting.canCancel)
            await queue.cancelButtonTapped(waiting.id)
            #expect(queue.notice == nil)
            #expect(queue.state == .empty)
        }
    }

    @Test func energyIsTheMeterOfOneStoreAndTheBatteriesOfAll() async throws {
        let models = [("store-e5", "store-1"), ("store-e5", "store-2")]
        try await ScriptedApp.run(announcing: models) { app in
            let energy = try app.devices.energy
            await until { energy.state == .empty && app.memory.devices.count == 2 }
            for (id, charge) in [("store-1", 40), ("store-2", 60)] {
                let sample = TelemetryReport(
                    [
                        "pvPowerW": 3_000, "gridPowerW": -500, "loadPowerW": 700,
                        "batteryPowerW": 900, "stateOfChargePercent": .number(Double(charge)),
                    ], at: Timestamp(milliseconds: 600_000))
                try app.deliver(.telemetry(sample), from: id)
            }
            // What is known of a device is conflated: its sample may be seen before it is added.
            await until { app.memory.devices.values.allSatisfy { $0.sampledAt != nil } }
            let content = try #require(energy.state.content)
            #expect(content.flow.solarW == 3_000)
            #expect(content.flow.batteryW == 1_800)
            #expect(content.flow.chargePercent == 50)
            let report = try #require(try await energy.report(over: .hour))
            #expect(report.powers.map(\.batteryW) == [1_800])
            #expect(report.powers.map(\.gridW) == [-500])
        }
    }

    @Test func theChecksRunWhenTheyAreAskedFor() async throws {
        try await ScriptedApp.run { app in
            let channels = try app.devices.channels
            #expect(channels.checks == .idle)
            channels.checkButtonTapped()
            #expect(channels.checks == .running)
            let finding = DoctorFinding(
                check: "broker", status: .warning, cause: "slow", remedy: "wait")
            await until { channels.checks == .done([finding], at: app.clock.now.wall) }
        }
    }

    @Test func settingsAreKept() async throws {
        try await ScriptedApp.run { app in
            let settings = try app.devices.settings
            settings.languageChosen(.chinese)
            settings.unitsChosen(.imperial)
            settings.appearanceChosen(.dark)
            #expect(
                app.settings.load()
                    == AppSettings(language: .chinese, appearance: .dark, units: .imperial))
        }
    }
}
