import AppCoordination
import Connectivity
import DeviceControl
import DeviceControlPresentation
import DeviceDomain
import DeviceMessages
import History
import SharedPresentation
import TestSupport
import Testing

@testable import Dashboard

/// What people who live with it do every day: buttons of cards, names and rooms, energy, what has happened.
@MainActor @Suite(.timeLimit(.minutes(1))) struct HouseholdPagesTests {
    private static let now = Timestamp(milliseconds: 1_764_000_000_000)

    private func withHousehold(
        _ body: (Browsers, Browser) async throws -> Void
    ) async throws {
        try await Browsers.run { browsers in
            try browsers.home.announce("sweeper-s1", as: "robot")
            try browsers.home.announce("store-e5", as: "store")
            try browsers.home.presence(.online, of: "robot")
            try browsers.home.presence(.online, of: "store")
            await until {
                let devices = browsers.memory.devices.values
                return devices.count == 2 && devices.allSatisfy { $0.presence == .online }
            }
            try await body(browsers, browsers.browser())
        }
    }

    // MARK: Cards

    @Test func aCardHasTheButtonsThatFitAndLeadsBackToTheHomePage() async throws {
        try await withHousehold { browsers, browser in
            try browsers.home.state(["activity": "cleaning"], of: "robot")
            try browsers.home.state(["mode": "backup", "reservePercent": 25], of: "store")
            await until {
                browsers.memory.devices.values.allSatisfy { $0.summary.activity != nil }
            }
            let page = await browser.read("/").text
            #expect(page.contains("formaction=\"/devices/robot/commands/pause?from=/\""))
            #expect(page.contains("aria-label=\"Pause: robot\""))
            #expect(!page.contains("/devices/robot/commands/start-cleaning"))
            // What needs a value leads to its form.
            #expect(page.contains("href=\"/devices/store?open=set-reserve#form-set-reserve\""))
            #expect(page.contains("Reserve 25% …"))
            let form = await browser.read("/devices/store", query: "open=set-reserve").text
            #expect(form.contains("id=\"form-set-reserve\" open"))
            // Nobody is there to take it: the page says so and stays.
            let answer = await browser.send(
                "/devices/robot/commands/pause", query: "from=/")
            #expect(answer.leadsTo == "/")
            #expect(await browser.read("/").text.contains("nobody is there"))
        }
    }

    @Test func whatNeedsAttentionHasARemedy() async throws {
        try await withHousehold { browsers, browser in
            try browsers.home.presence(.offline, of: "store")
            try browsers.home.state(["activity": "cleaning"], of: "robot")
            try browsers.home.sample(["batteryPercent": 4, "dustbinPercent": 95], of: "robot")
            await until { browsers.memory.allDevices.map(\.summary.attention.count) == [2, 1] }
            let page = await browser.read("/").text
            #expect(page.contains("Switch it on, and see that its network reaches it."))
            #expect(page.contains("Charge it.") && page.contains("Empty it."))
            #expect(page.components(of: "/devices/robot/commands/return-to-dock?from=/") == 2)
        }
    }

    // MARK: Names and rooms

    @Test func aDeviceIsNamedAndPutIntoARoom() async throws {
        try await withHousehold { browsers, browser in
            #expect(await browser.read("/").text.contains("Sweeping robots"))
            #expect(await browser.read("/rooms").text.contains("No rooms yet"))
            #expect(await browser.send("/rooms", "name=Kitchen+%26+hall").leadsTo == "/rooms")
            let again = await browser.send("/rooms", "name=kitchen+%26+hall")
            #expect(again.leadsTo == nil && again.text.contains("id=\"room-name-wrong\""))
            #expect(again.text.contains("value=\"kitchen &amp; hall\""))
            let saved = await browser.send(
                "/devices/robot/label", "name=Robbie&room=Kitchen+%26+hall")
            #expect(saved.leadsTo == "/devices/robot")
            await until { browsers.memory.devices[.literal("robot")]?.name == "Robbie" }
            let page = await browser.read("/devices/robot").text
            #expect(page.contains("Name and room are kept.") && page.contains(">Robbie</h1>"))
            #expect(page.contains("value=\"Kitchen &amp; hall\" selected"))
            let home = await browser.read("/").text
            #expect(home.contains(">Kitchen &amp; hall</span>") && home.contains("In no room"))
            #expect(!home.contains("Sweeping robots"))
            #expect(
                await browser.send("/rooms/remove", query: "room=Kitchen+%26+hall").leadsTo
                    == "/rooms")
            await until { browsers.memory.devices[.literal("robot")]?.summary.room == nil }
            #expect(await browser.read("/").text.contains("Sweeping robots"))
        }
    }

    @Test(arguments: ["/devices/robot", "/rules?when=event&do=notify", "/history"])
    func aRoomThatAnotherProcessHasMadeCanBeChosen(path: String) async throws {
        try await withHousehold { browsers, browser in
            #expect(await browser.read(path).text.contains(">Attic</option>") == false)
            try await browsers.home.addRoom(try GivenName("Attic"))
            #expect(await browser.read(path).text.contains(">Attic</option>"))
            try await browsers.home.removeRoom("Attic")
            #expect(await browser.read(path).text.contains(">Attic</option>") == false)
        }
    }

    @Test func aRefusedNameIsSaid() async throws {
        try await withHousehold { browsers, browser in
            browsers.home.fail(Failure("disk I/O error", .checkStorage))
            #expect(
                await browser.send("/devices/robot/label", "name=Robbie").leadsTo
                    == "/devices/robot")
            browsers.home.fail(nil)
            #expect(await browser.read("/devices/robot").text.contains("disk I/O error"))
        }
    }

    // MARK: A robot's page

    @Test func aRobotsPageBeginsWithItsPlanAndItsButtons() async throws {
        try await withHousehold { browsers, browser in
            try browsers.home.state(["activity": "cleaning"], of: "robot")
            for (second, x) in [(0, 1.0), (10, 2.0)] {
                try browsers.home.sample(
                    [
                        "x": .number(x), "y": 1, "headingDeg": 90,
                        "cleanedAreaM2": .number(Double(second)),
                    ], of: "robot", secondsLater: second)
                await until { browsers.memory.devices[.literal("robot")]?.trail.last?.x == x }
            }
            let page = await browser.read("/devices/robot").text
            let places = ["id=\"floor\"", "id=\"values\"", "id=\"commands\"", "id=\"sent\""].map {
                page.firstRange(of: $0)?.lowerBound
            }
            #expect(places.allSatisfy { $0 != nil })
            #expect(zip(places, places.dropFirst()).allSatisfy { $0! < $1! })
            #expect(page.contains("class=\"cleaned\"") && page.contains("rotate(90)"))
            #expect(
                page.contains("formaction=\"/devices/robot/commands/pause?from=/devices/robot\""))
            #expect(page.contains("id=\"zoom-4\""))
            let former = await browser.response("/devices/robot/plan")
            #expect(former.headers.contains { $0.value == "/devices/robot#floor" })
        }
    }

    // MARK: Energy

    @Test func energyIsShownForEachRangeAndCanBeTakenOut() async throws {
        try await withHousehold { browsers, browser in
            try browsers.home.keep(
                EarlierSamples(
                    lastDay: (1...6).map { index in
                        RecordedSample(
                            at: Self.now.advanced(by: .seconds(-300 * index)),
                            values: ["pvPowerW": 1_200, "gridPowerW": -300, "loadPowerW": 600])
                    }.reversed()), of: "store")
            try browsers.home.sample(["pvPowerW": 1_000, "loadPowerW": 500], of: "store")
            await until { browsers.memory.devices[.literal("store")]?.sampledAt != nil }
            let day = await browser.read("/energy").text
            #expect(day.contains("Self-sufficiency") && day.contains("0.6 kWh"))
            #expect(day.contains("href=\"/energy?range=day#over-time\" aria-current=\"page\""))
            #expect(day.components(of: "data-columns=") == 2)
            #expect(!day.contains("Cost"))
            let hour = await browser.read("/energy", query: "range=hour").text
            #expect(hour.components(of: "data-columns=") == 1)
            let power = await browser.response("/energy.csv", query: "range=day")
            guard case .table(let table, let name) = power.content else {
                Issue.record("no file: \(power.status)")
                return
            }
            #expect(
                name == "power-day.csv" && table.hasPrefix("at,solarW,gridW,loadW,batteryW\r\n"))
            #expect(table.contains("2025-11-24T15:55:00.000Z,1200.0,-300.0,600.0,\r\n"))
            let energy = await browser.response("/energy.csv", query: "range=day&of=energy")
            guard case .table(let sums, _) = energy.content else { return }
            #expect(sums.contains("2025-11-24T15:00:00.000Z,0.6,0.3,0.0,0.15"))
            browsers.home.fail(Failure("the history is damaged", .checkStorage, code: "history"))
            #expect(await browser.read("/energy").text.contains("the history is damaged"))
            #expect(await browser.read("/energy.csv").status == 404)
        }
    }

    /// A sample of the store: it is charged for 20 minutes, then discharged.
    private static func stored(after seconds: Int) -> JSONObject {
        let charging = Double(min(seconds, 1_200)) / 3_600
        let discharging = Double(max(seconds - 1_200, 0)) / 3_600
        let isSunny = seconds < 1_200
        return [
            "pvPowerW": isSunny ? 600 : 100, "loadPowerW": isSunny ? 400 : 500,
            "batteryPowerW": isSunny ? 150 : -300, "gridPowerW": isSunny ? -50 : 100,
            "chargedKWh": .number(10 + charging * 0.15),
            "dischargedKWh": .number(5 + discharging * 0.3),
        ]
    }

    @Test func rangesAgreeOnTheSameSamplesAndTheirSumsAddUp() async throws {
        try await withHousehold { browsers, _ in
            let seconds = 37 * 60
            let start = Self.now.advanced(by: .seconds(100 - seconds))
            let kept = stride(from: 0, to: seconds - 10, by: 5).map { after in
                RecordedSample(
                    at: start.advanced(by: .seconds(after)), values: Self.stored(after: after))
            }
            try browsers.home.keep(EarlierSamples(lastDay: kept), of: "store")
            try browsers.home.sample(
                Self.stored(after: seconds), of: "store", secondsLater: 100)
            await until { browsers.memory.devices[.literal("store")]?.sampledAt != nil }
            let model = try #require(browsers.pages.app.deviceControl?.energy)
            for range in EnergyRange.allCases {
                let report = try #require(try await model.report(over: range))
                let sums = report.total
                #expect(abs(sums.chargedKWh - 0.05) < 0.002, "\(range)")
                #expect(abs(sums.dischargedKWh - 0.085) < 0.002, "\(range)")
                #expect(abs(sums.solarKWh - 0.2283) < 0.002, "\(range)")
                let grid = sums.importedKWh - sums.exportedKWh
                let used = sums.solarKWh + sums.dischargedKWh - sums.chargedKWh + grid
                #expect(abs(used - sums.usedKWh) < 0.002, "\(range)")
                guard range == .day else { continue }
                // 100 seconds after the full hour.
                #expect(abs((report.bars.last?.balance.dischargedKWh ?? 0) - 0.0083) < 0.002)
            }
        }
    }

    /// Nothing was heard for 35 minutes, in the hour of the newest sample.
    @Test func rangesAgreeWhereThereIsAGap() async throws {
        try await withHousehold { browsers, _ in
            let heard = Array(0...305) + Array(2_400..<2_990)
            let kept = heard.filter { $0 % 5 == 0 }.map { after in
                RecordedSample(
                    at: Self.now.advanced(by: .seconds(after)),
                    values: [
                        "pvPowerW": 600, "chargedKWh": .number(10 + Double(after) / 30_000),
                        "dischargedKWh": 5,
                    ])
            }
            try browsers.home.keep(EarlierSamples(lastDay: kept), of: "store")
            try browsers.home.sample(
                ["pvPowerW": 600, "chargedKWh": 10.1, "dischargedKWh": 5], of: "store",
                secondsLater: 3_000)
            await until { browsers.memory.devices[.literal("store")]?.sampledAt != nil }
            let model = try #require(browsers.pages.app.deviceControl?.energy)
            for range in EnergyRange.allCases {
                let sums = try #require(try await model.report(over: range)).total
                // Ten minutes before the gap, and ten after it.
                #expect(abs(sums.solarKWh - 0.2) < 0.002, "\(range)")
                #expect(abs(sums.chargedKWh - 0.1) < 0.002, "\(range)")
            }
        }
    }

    @Test func earlierTimesAreOnPagesOfTheirOwn() async throws {
        try await withHousehold { browsers, browser in
            try browsers.home.keep(
                EarlierSamples(
                    lastDay: (1...6).map { index in
                        RecordedSample(
                            at: Self.now.advanced(by: .seconds(-2 * 86_400 - 300 * index)),
                            values: ["loadPowerW": 1_200])
                    }.reversed()), of: "store")
            try browsers.home.sample(["loadPowerW": 500], of: "store")
            await until { browsers.memory.devices[.literal("store")]?.sampledAt != nil }
            let today = await browser.read("/energy").text
            #expect(today.contains("href=\"/energy?range=day&amp;back=1#over-time\""))
            #expect(!today.contains(">Newer</a>"))
            let between = await browser.read("/energy", query: "range=day&back=1").text
            #expect(between.contains("href=\"/energy?range=day#over-time\""))
            #expect(between.contains("back=2") && !between.contains("data-columns="))
            #expect(between.contains("Nothing was kept of this time."))
            let first = await browser.read("/energy", query: "range=day&back=2").text
            #expect(first.contains("22 Nov 00:00 – 22 Nov 23:59") && first.contains("0.6 kWh"))
            #expect(first.contains("/energy.csv?range=day&amp;back=2"))
            #expect(!first.contains(">Older</a>") && first.contains("back=1"))
            for nonsense in ["-1", "99999999999999999999", "x"] {
                let page = await browser.read("/energy", query: "range=year&back=\(nonsense)")
                #expect(page.status == 200, "\(nonsense)")
            }
            let file = await browser.response("/energy.csv", query: "range=day&back=2")
            guard case .table(let table, _) = file.content else {
                Issue.record("no file: \(file.status)")
                return
            }
            #expect(table.contains("2025-11-22T15:55:00.000Z,,,1200.0,"))
        }
    }

    // MARK: What has happened

    private func record(_ number: Int, _ state: CommandState) throws -> CommandRecord {
        let issued = Self.now.advanced(by: .seconds(number * 86_400))
        let id = CommandID(at: issued)
        let intent = CommandIntent(
            id: id, controller: try ControllerID("app"), home: try HomeID("home-1"),
            device: try DeviceID(number % 2 == 0 ? "robot" : "store"),
            name: CommandName(rawValue: "do-\(number)"), sort: .action,
            issuedAt: issued, expiresAt: issued.advanced(by: .seconds(30)))
        return CommandRecord(
            prepared: PreparedCommand(
                intent: intent, channel: try ChannelID("mqtt"), sequence: 1, payload: []),
            progress: CommandProgress(state: state, timings: CommandTimings(createdAt: issued)))
    }

    @Test func commandsAreFilteredAndCountedByPages() async throws {
        try await withHousehold { browsers, browser in
            #expect(await browser.read("/history").text.contains("No command was sent yet."))
            browsers.home.record(
                try (0..<60).reversed().map { try record($0, $0 < 10 ? .failed : .succeeded) })
            let first = await browser.read("/history").text
            #expect(first.contains(">Do 59</a>") && !first.contains(">Do 9</a>"))
            #expect(first.contains("href=\"/history?page=1\""))
            let second = await browser.read("/history", query: "page=1").text
            #expect(second.contains(">Do 9</a>") && !second.contains("page=2"))
            #expect(second.contains("href=\"/history\" aria-label") || second.contains("Newer"))
            let failed = await browser.read("/history", query: "state=failed&device=robot").text
            #expect(failed.contains(">Do 8</a>") && !failed.contains(">Do 9</a>"))
            #expect(failed.contains("value=\"robot\" selected"))
            #expect(failed.contains("href=\"/log?device=robot\""))
            // 24 Nov 2025 is the day of the first one.
            let days = await browser.read("/history", query: "from=2025-11-25&to=2025-11-26").text
            #expect(days.contains(">Do 1</a>") && days.contains(">Do 2</a>"))
            #expect(!days.contains(">Do 3</a>") && !days.contains(">Do 0</a>"))
            let wild = await browser.read("/history", query: "from=x&page=-3&state=y&device=A").text
            #expect(wild.contains(">Do 59</a>"))
            for query in ["from=2026-12-01&to=2026-11-01", "device=nope", "page=3"] {
                let nothing = await browser.read("/history", query: query).text
                #expect(nothing.contains("No command matches what was asked for."), "\(query)")
            }
            browsers.home.fail(Failure("disk I/O error", .checkStorage))
            #expect(await browser.read("/history").text.contains("disk I/O error"))
        }
    }

    @Test func eventsAreListedNewestFirst() async throws {
        try await withHousehold { browsers, browser in
            let facts = [
                RecordedFact(at: Self.now, kind: .presence, name: "offline"),
                RecordedFact(
                    at: Self.now.advanced(by: .seconds(60)), kind: .event, name: "stuck",
                    detail: ["code": "WHEEL_BLOCKED"]),
            ]
            try browsers.home.keep(facts, of: "robot")
            try browsers.home.keep(
                [RecordedFact(at: Self.now, kind: .event, name: "grid-lost")], of: "store")
            let days = "from=2025-11-24&to=2025-11-24"
            let all = await browser.read("/log", query: days).text
            #expect(all.contains("Wheel blocked") && all.contains("Grid lost"))
            let (stuck, offline) = (all.firstRange(of: "Stuck"), all.firstRange(of: ">Offline<"))
            #expect(try #require(stuck).lowerBound < (try #require(offline)).lowerBound)
            let robot = await browser.read("/log", query: "\(days)&device=robot&kind=event").text
            #expect(robot.contains("Stuck") && !robot.contains("Grid lost"))
            #expect(!robot.contains(">Offline<"))
            #expect(await browser.read("/log", query: "to=2001-01-01").text.contains("Nothing of"))
        }
    }

    @Test func aRoomSelectsItsDevices() async throws {
        try await withHousehold { browsers, browser in
            browsers.home.record([try record(1, .succeeded), try record(0, .succeeded)])
            _ = await browser.send("/rooms", "name=Hall")
            _ = await browser.send("/devices/robot/label", "name=&room=Hall")
            await until { browsers.memory.devices[.literal("robot")]?.summary.room == "Hall" }
            let hall = await browser.read("/history", query: "room=Hall").text
            #expect(hall.contains(">Do 0</a>") && !hall.contains(">Do 1</a>"))
            let none = await browser.read("/history", query: "room=Hall&device=store").text
            #expect(none.contains("No command matches what was asked for."))
        }
    }
}
