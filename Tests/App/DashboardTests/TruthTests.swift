import Connectivity
import DeviceControl
import DeviceControlPresentation
import DeviceDomain
import DeviceMessages
import HomeModel
import Markup
import SharedPresentation
import TestSupport
import Testing

@testable import Dashboard

/// Pages say one thing about one thing, and how old it is.
@MainActor @Suite(.timeLimit(.minutes(1))) struct TruthTests {
    private func withDevice(
        _ model: String, _ body: (Browsers, Browser) async throws -> Void
    ) async throws {
        try await Browsers.run { browsers in
            try browsers.home.announce(model, as: "robot")
            try browsers.home.presence(.online, of: "robot")
            await until { browsers.memory.devices.values.first?.presence == .online }
            try await body(browsers, browsers.browser())
        }
    }

    private func heard(_ browsers: Browsers, _ battery: Double) async {
        await until { browsers.memory.devices.values.first?.known.chargePercent == battery }
    }

    @Test func aBatteryHasOneFigureTheNewest() async throws {
        try await withDevice("sweeper-s1") { browsers, browser in
            try browsers.home.state(["batteryPercent": 100], of: "robot")
            try browsers.home.sample(["batteryPercent": 99], of: "robot", secondsLater: 5)
            await heard(browsers, 99)
            let sampled = await browser.read("/devices/robot").text
            #expect(sampled.contains("<dt>Battery</dt><dd>99%</dd>") && !sampled.contains("100%<"))
            try browsers.home.state(["batteryPercent": 98], of: "robot", secondsLater: 9)
            await heard(browsers, 98)
            let stated = await browser.read("/devices/robot").text
            #expect(stated.contains("<dt>Battery</dt><dd>98%</dd>"))
            #expect(stated.contains("<span>98%</span>"))
        }
    }

    @Test(arguments: ["/", "/devices/robot", "/energy"])
    func whatIsOldIsGreyAndSaysHowOld(path: String) async throws {
        try await withDevice("store-e5") { browsers, browser in
            try browsers.home.sample(
                ["stateOfChargePercent": 50, "gridPowerW": 302], of: "robot")
            await heard(browsers, 50)
            let live = await browser.read(path).text
            #expect(!live.contains("aged") && !live.contains("as it was"))
            browsers.home.loseLink()
            await until {
                browsers.memory.devices.values.first?.presence != .online
                    && browsers.memory.links.values.contains { $0 != .connecting }
            }
            let old = await browser.read(path).text
            #expect(old.contains("aged") && old.contains("as it was"))
            #expect(!old.contains("Flow now</h2>"))
            #expect(old.contains("No connection") && !old.contains("Connected<"))
        }
    }

    @Test func faultsAreSaidInWordsWithWhatToDo() async throws {
        try await withDevice("sweeper-s1") { browsers, browser in
            try browsers.home.state(
                ["activity": "error", "error": "WHEEL_BLOCKED"], of: "robot")
            await until { browsers.memory.devices.values.first?.known.state != nil }
            for path in ["/", "/devices/robot"] {
                let page = await browser.read(path).text
                #expect(page.contains("Wheel blocked – free the robot"), "\(path)")
                #expect(!page.contains("WHEEL") && !page.contains("Error</span>"))
            }
            try browsers.home.state(["activity": "error", "error": "X_7"], of: "robot")
            await until {
                browsers.memory.devices.values.first?.known.state?.members["error"] == "X_7"
            }
            #expect(await browser.read("/").text.contains("X_7"))
        }
    }

    @Test(arguments: [
        ("docked", "return-to-dock", "it is in its dock already", "start-cleaning"),
        ("docked", "resume", "nothing is paused", "start-cleaning"),
        ("cleaning", "resume", "nothing is paused", "pause"),
        ("idle", "pause", "nothing runs", "start-cleaning"),
    ])
    func aButtonThatWouldDoNothingSaysWhyAndDoesNotStandOut(
        activity: String, command: String, why: String, likeliest: String
    ) async throws {
        try await withDevice("sweeper-s1") { browsers, browser in
            try browsers.home.state(["activity": .string(activity)], of: "robot")
            await until { browsers.memory.devices.values.first?.known.state != nil }
            let page = await browser.read("/devices/robot").text
            #expect(page.contains("id=\"why-\(command)\">") && page.contains(why))
            let top =
                "class=\"main\" form=\"act\" formaction=\"/devices/robot/commands/\(likeliest)?"
            #expect(page.contains("id=\"do-\(likeliest)\" class=\"main\"") || page.contains(top))
            #expect(page.contains("id=\"do-\(command)\" class=\"\""))
            #expect(page.components(of: ">Start cleaning<") == 1)
        }
    }

    @Test func formsLeadBackToTheirPlaceOnThePage() async throws {
        try await withDevice("sweeper-s1") { browsers, browser in
            let page = await browser.read("/devices/robot").text
            for action in [
                "commands/locate#commands", "commands/set-suction-level#form-set-suction-level",
                "undo#sent",
            ] where page.contains("id=\"sent\"") {
                let isThere = page.contains("action=\"/devices/robot/\(action)\"")
                // What was sent last can be undone only once something was sent.
                #expect(isThere || action.hasPrefix("undo"), "\(action)")
            }
            #expect(page.contains("data-path=\"/devices/robot\""))
            _ = await browser.send("/devices/robot/undo")
            let said = await browser.read("/devices/robot").text
            #expect(said.contains("class=\"flash\" id=\"notice\""))
            #expect(said.contains("href=\"/devices/robot\" aria-label=\"Dismiss\""))
        }
    }

    private func unknownCommand(
        _ id: String = "018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11", isPutAway: Bool = false
    ) throws -> CommandRecord {
        let issued = Timestamp(milliseconds: 1_764_000_000_000)
        let intent = CommandIntent(
            id: try #require(CommandID(id)),
            controller: try ControllerID("app"), home: try HomeID("home-1"),
            device: try DeviceID("robot"), name: .startCleaning, sort: .action,
            issuedAt: issued, expiresAt: issued.advanced(by: .seconds(30)))
        return CommandRecord(
            prepared: PreparedCommand(
                intent: intent, channel: try ChannelID("mqtt"), sequence: 1, payload: []),
            progress: CommandProgress(
                step: isPutAway ? 2 : 1, state: .unknown,
                timings: CommandTimings(createdAt: issued, closedAt: isPutAway ? issued : nil)))
    }

    @Test func whatIsKeptForADeviceHasNoButtonThatTakesItBack() async throws {
        try await withDevice("sweeper-s1") { browsers, browser in
            var kept = try unknownCommand()
            kept.progress.state = .queued
            let button = "/commands/\(kept.id)/cancel"
            browsers.home.record([kept])
            #expect(await browser.read("/queue").text.contains(button))
            kept.progress.state = .sent
            kept.progress.step += 1
            kept.progress.desiredRevision = 1
            browsers.home.record([kept])
            let page = await browser.read("/queue").text
            #expect(page.contains("/commands/\(kept.id)") && !page.contains(button))
        }
    }

    @Test func anUnknownOutcomeLeadsToItsCommand() async throws {
        try await withDevice("sweeper-s1") { browsers, browser in
            let unknown = try unknownCommand()
            let id = unknown.id
            // Another process has sent it: nothing is heard of it here.
            browsers.home.record([unknown])
            let home = await browser.read("/").text
            #expect(home.contains("Start cleaning: Outcome unknown"))
            #expect(
                home.contains("href=\"/commands/\(id)\" aria-label=\"Explain: Start cleaning\""))
            #expect(home.contains("formaction=\"/commands/\(id)/put-away?from=/\""))
            browsers.home.record([try unknownCommand(isPutAway: true)])
            #expect(await browser.read("/").text.contains("Outcome unknown") == false)
        }
    }

    @Test(arguments: ["/", "/queue", "/devices/robot"])
    func whatAnotherProcessDoesComesToAnOpenPage(path: String) async throws {
        try await withDevice("sweeper-s1") { browsers, browser in
            _ = await browser.read(path)
            let page = try #require(browsers.pages.livePages.values.first)
            let watcher = page.watch()
            let canPutAway = {
                page.current().parts.contains { $0.content.markup.contains("/put-away") }
            }
            #expect(!canPutAway())
            browsers.home.record([try unknownCommand()])
            await browsers.pages.readShown()
            #expect(canPutAway())
            browsers.home.record([try unknownCommand(isPutAway: true)])
            await browsers.pages.readShown()
            #expect(!canPutAway())
            page.leave(watcher)
        }
    }

    @Test func anOldCommandThatMovesIsReadAgainByItsOpenPage() async throws {
        try await withDevice("sweeper-s1") { browsers, browser in
            let old = try unknownCommand()
            let newer = try (0..<DeviceMemory.commandLimit).map { number in
                try unknownCommand("018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7f\(number + 10)")
            }
            let path = "/commands/\(old.id)"
            browsers.home.record(newer + [old])
            #expect(await browser.read(path).text.contains("\(path)/put-away"))
            let page = try #require(browsers.pages.livePages.values.first)
            let watcher = page.watch()
            let shape = page.current().shape
            await browsers.pages.readShown()
            #expect(page.current().shape == shape, "nothing has changed")
            browsers.home.record(newer + [try unknownCommand(isPutAway: true)])
            await browsers.pages.readShown()
            #expect(page.current().shape != shape)
            page.leave(watcher)
            #expect(await browser.read(path).text.contains("\(path)/put-away") == false)
        }
    }

    @Test func whatSeveralOpenPagesShowIsReadOnce() async throws {
        try await Browsers.run { browsers in
            await until { browsers.memory.isRecalled }
            let (home, browser) = (browsers.home, browsers.browser())
            for path in ["/", "/rooms", "/queue"] { _ = await browser.read(path) }
            let watchers = browsers.pages.livePages.values.map { $0.watch() }
            let before = (home.roomReadings.value, home.waitingReadings.value)
            await browsers.pages.readShown()
            #expect(home.roomReadings.value == before.0 + 1)
            #expect(home.waitingReadings.value == before.1 + 1)
            for watcher in watchers { watcher.end() }
        }
    }

    @Test func aSlowReadingTakesNothingBack() async throws {
        try await withDevice("sweeper-s1") { browsers, _ in
            let device = try #require(browsers.memory.devices.values.first)
            browsers.home.record([try unknownCommand()])
            await browsers.memory.readCommands(of: device.id)
            browsers.memory.show(try unknownCommand(isPutAway: true))
            // What was read is older than what was heard.
            await browsers.memory.readCommands(of: device.id)
            #expect(device.commands.map(\.progress.isClosed) == [true])
        }
    }

    @Test func roomsAreNamedAndAListNamesTheDevice() async throws {
        let plan = try RoomPlan(
            rooms: try ["Hall", nil, "Hall"].enumerated().map { index, name in
                try PlannedRoom(
                    id: index + 1, name: name,
                    shape: .rectangle(
                        southWest: FloorPosition(x: 0, y: 0),
                        northEast: FloorPosition(x: 2, y: Double(index + 1))),
                    doors: [])
            }, dock: nil)
        let (english, chinese) = (
            Texts(.english, calendar: LocalCalendar { _ in 0 }),
            Texts(.chinese, calendar: LocalCalendar { _ in 0 })
        )
        #expect(english.roomNames(plan).values.sorted() == ["Hall (1)", "Hall (3)", "Room 2"])
        #expect(chinese.roomNames(plan)[2] == "房间 2")
        let words = CommandText(texts: english).arguments(["rooms": [2, 3]], rooms: plan)
        #expect(words == ["Rooms Room 2, Hall (3)"])
        try await withDevice("sweeper-s1") { browsers, browser in
            let page = await browser.read("/schedules").text
            #expect(page.contains(">robot · Start cleaning</option>"))
        }
    }
}
