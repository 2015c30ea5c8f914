import DeviceControlPresentation
import Homeport
import HomeportTesting
import SharedPresentation
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(1))) struct DeviceViewModelTests {
    private func withRobot(
        _ body: (ScriptedApp, DeviceViewModel) async throws -> Void
    ) async throws {
        try await ScriptedApp.run(announcing: [("sweeper-s1", "sweeper-1")]) { app in
            let id = try DeviceID("sweeper-1")
            await until { app.memory.devices[id] != nil }
            try await body(app, try app.devices.device(id))
        }
    }

    private func timeline(_ model: DeviceViewModel) -> CommandTimeline? {
        model.state.content?.commands.first?.timeline
    }

    @Test func aTappedCommandIsFollowedToItsEnd() async throws {
        try await withRobot { app, robot in
            app.channel.onSend { $0.acknowledged(.accepted, .succeeded) }
            await robot.cleanButtonTapped(rooms: [1, 2])
            #expect(robot.notice == nil)
            await until { timeline(robot)?.ending == .succeeded }
            let command = try #require(robot.state.content?.commands.first)
            #expect(command.name == .startCleaning)
            #expect(command.arguments == ["rooms": [1, 2]])
            #expect(!command.canCancel)
        }
    }

    @Test func aFormIsSentWithWhatWasEntered() async throws {
        try await withRobot { app, robot in
            app.channel.onSend { $0.acknowledged(.accepted, .succeeded) }
            robot.fieldChanged("level", of: .setSuctionLevel, to: "\"turbo\"")
            await robot.sendButtonTapped(.setSuctionLevel)
            await until { timeline(robot)?.ending == .succeeded }
            #expect(robot.state.content?.commands.first?.arguments == ["level": "turbo"])
            #expect(robot.form(.setSuctionLevel)?.fields.first?.text == "")
        }
    }

    @Test func aWrongFormIsNotSentAndSaysWhy() async throws {
        try await withRobot { app, robot in
            await robot.sendButtonTapped(.setSuctionLevel)
            #expect(robot.form(.setSuctionLevel)?.fields.first?.problem == .missing)
            robot.fieldChanged("level", of: .setSuctionLevel, to: "\"loud\"")
            #expect(robot.form(.setSuctionLevel)?.fields.first?.problem == nil)
            await robot.sendButtonTapped(.setSuctionLevel)
            #expect(robot.form(.setSuctionLevel)?.fields.first?.problem == .notAChoice)
            let history = try await app.home.history()
            #expect(history.isEmpty)
        }
    }

    @Test func whatCannotBeDoneIsSaidWithARemedy() async throws {
        try await withRobot { _, robot in
            await robot.undoButtonTapped()
            guard case .failed(let failure) = robot.notice else {
                Issue.record("the notice is \(String(describing: robot.notice))")
                return
            }
            #expect(failure.remedy == .lookAgain)
            #expect(!failure.cause.isEmpty)
            robot.noticeDismissed()
            #expect(robot.notice == nil)
        }
    }

    @Test func withoutALinkPresenceIsInDoubtAndTheAgeIsShown() async throws {
        try await withRobot { app, robot in
            #expect(robot.state.content?.summary.presence == .online)
            app.channel.loseLink(retryIn: .seconds(60))
            await until { robot.state.content?.summary.presence == .doubtful(wasOnline: true) }
            let freshness = try #require(robot.state.content?.freshness)
            guard case .stale(let since) = freshness else {
                Issue.record("it is \(freshness)")
                return
            }
            #expect(freshness.age(at: since.advanced(by: .seconds(90))) == .seconds(90))
            #expect(robot.state.content?.summary.attention.contains(.doubtful) == true)
            app.channel.restoreLink()
        }
    }

    @Test func theTrailAndTheSeriesGrowWithEverySample() async throws {
        try await withRobot { app, robot in
            for step in 0..<3 {
                let sample = TelemetryReport(
                    [
                        "x": .number(Double(step)), "y": 1, "batteryPercent": 12,
                        "dustbinPercent": 95,
                    ], at: Timestamp(milliseconds: step * 10_000))
                try app.deliver(.telemetry(sample), from: "sweeper-1")
                await until { robot.plan?.place?.x == Double(step) }
            }
            #expect(robot.plan?.trail.count == 3)
            let content = try #require(robot.state.content)
            #expect(content.summary.battery?.chargePercent == 12)
            #expect(content.summary.attention == [.lowBattery(12), .fullDustbin(95)])
            let measured = content.sections.compactMap { section in
                if case .measured(let signals) = section { signals } else { nil }
            }.first
            let x = try #require(measured?.first { $0.name == "x" })
            #expect(x.series?.lastHour.map(\.value) == [0, 1, 2])
            #expect(x.unit == .metres)
        }
    }

    @Test func aCommandThatHasEndedCannotBeTakenBackAndSaysWhy() async throws {
        try await withRobot { app, robot in
            app.channel.onSend { $0.acknowledged(.accepted, .succeeded) }
            await robot.cleanButtonTapped()
            await until { timeline(robot)?.ending == .succeeded }
            let command = try #require(robot.state.content?.commands.first)
            await robot.cancelButtonTapped(command.id)
            #expect(
                robot.notice == .notCancelled("\(command.id) has ended already: succeeded"))
        }
    }

    @Test func aDeviceOfAnUnknownKindCanBeUsed() async throws {
        try await ScriptedApp.run { app in
            let id = try DeviceID("toaster-1")
            let toast = CommandName(rawValue: "toast")
            let profile = DeviceProfile(
                id: id, home: app.home.id, kind: DeviceKind(rawValue: "toaster"),
                model: DeviceModel(rawValue: "t-1"), name: "Toaster", firmware: "1",
                capabilities: [.connectable, .controllable],
                commands: [
                    CommandSpecification(
                        name: toast, arguments: .members(["slices": .integer(1...4)]),
                        sort: .action)
                ])
            app.channel.onSend { $0.acknowledged(.accepted, .succeeded) }
            app.channel.announce(profile)
            await until { app.memory.devices[id] != nil }
            let toaster = try app.devices.device(id)
            #expect(toaster.forms.map(\.specification.name) == [toast])
            toaster.fieldChanged("slices", of: toast, to: "2")
            await toaster.sendButtonTapped(toast)
            await until { timeline(toaster)?.ending == .succeeded }
            #expect(toaster.state.content?.commands.first?.arguments == ["slices": 2])
        }
    }

    @Test func anUnknownDeviceIsEmpty() async throws {
        try await ScriptedApp.run { app in
            let nobody = try app.devices.device(try DeviceID("nobody"))
            await until { nobody.state == .empty }
            await nobody.cleanButtonTapped()
            #expect(
                nobody.notice
                    == .failed(
                        Failure(
                            "nobody has no command start-cleaning", .lookAgain, code: "no-command"))
            )
        }
    }

    @Test func anExplanationIsReadForACommand() async throws {
        try await withRobot { app, robot in
            app.channel.onSend { $0.acknowledged(.accepted, .succeeded) }
            await robot.cleanButtonTapped()
            await until { timeline(robot)?.ending == .succeeded }
            let id = try #require(robot.state.content?.commands.first?.id)
            let command = try app.devices.command(id)
            #expect(command.state == .loading)
            await command.appeared()
            #expect(command.state.content?.summary.timeline.ending == .succeeded)
            #expect(command.state.content?.explanation.steps.isEmpty == false)
        }
    }
}
