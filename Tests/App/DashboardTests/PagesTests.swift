import AppCoordination
import Automation
import DeviceDomain
import HomeModel
import ProvisioningPresentation
import SharedPresentation
import TestSupport
import Testing

@testable import Dashboard

@MainActor @Suite(.timeLimit(.minutes(1))) struct PagesTests {
    private static let command = "/commands/018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11"
    private static let broken = Failure("disk I/O error", .checkStorage)

    private func withRobot(_ body: (Browsers) async throws -> Void) async throws {
        try await Browsers.run { browsers in
            try browsers.home.announce("sweeper-s1", as: "sweeper-1")
            await until { browsers.memory.devices.count == 1 }
            try await body(browsers)
        }
    }

    // MARK: Storage

    @Test func aLedgerThatCannotBeReadIsNamedOnThePageOfACommand() async throws {
        try await Browsers.run { browsers in
            let browser = browsers.browser()
            #expect(await browser.read(Self.command).status == 404)
            browsers.home.fail(Self.broken)
            let page = await browser.read(Self.command)
            #expect(page.status == 503)
            #expect(page.text.contains("disk I/O error"))
            #expect(page.text.contains("Put the ledger"))
        }
    }

    @Test func aLedgerThatCannotBeReadNeedsAttentionUntilItCan() async throws {
        try await withRobot { browsers in
            let browser = browsers.browser()
            browsers.home.fail(Self.broken)
            #expect(await browser.read("/queue").text.contains("disk I/O error"))
            #expect(await browser.read("/schedules").text.contains("disk I/O error"))
            let home = await browser.read("/")
            #expect(home.status == 200)
            #expect(home.text.contains("disk I/O error") && home.text.contains("sweeper-1"))
            browsers.home.fail(nil)
            #expect(await browser.read("/queue").text.contains("Nothing waits"))
            #expect(await browser.read("/").text.contains("disk I/O error") == false)
        }
    }

    // MARK: Units

    @Test func everyBrowserReadsWhatIsReportedInItsOwnUnits() async throws {
        try await withRobot { browsers in
            try browsers.home.sample(
                ["cleanedAreaM2": 10, "temperatureC": 20, "x": 3, "y": 1], of: "sweeper-1")
            await until {
                browsers.memory.devices.values.first?.samples["temperatureC"] != nil
            }
            let units = ["homeport-units": "imperial"]
            let imperial = await browsers.browser().read("/devices/sweeper-1", cookies: units)
            // What a browser has open is rendered once for all that read the same.
            let open = browsers.pages.livePages.values.map { ($0, $0.watch()) }
            let metric = await browsers.browser().read("/devices/sweeper-1")
            for (page, watcher) in open { page.leave(watcher) }
            for (page, words) in [
                (imperial.text, ["107.64 ft²", "68 °F", "3 m"]),
                (metric.text, ["10 m²", "20 °C", "3 m"]),
            ] {
                for word in words { #expect(page.contains(word)) }
                // In the list of values and in two charts.
                #expect(page.components(of: words[1]) == 3)
            }
            #expect(!imperial.text.contains("°C") && !metric.text.contains("°F"))
        }
    }

    // MARK: Devices

    @Test func aDeviceIsForgottenOnlyByItsForm() async throws {
        try await withRobot { browsers in
            let browser = browsers.browser()
            let page = await browser.read("/devices/sweeper-1")
            #expect(page.text.contains("action=\"/devices/sweeper-1/forget#forget\""))
            #expect(await browser.read("/devices/sweeper-1/forget").status == 404)
            #expect(browsers.memory.devices.count == 1)
            #expect(await browser.send("/devices/sweeper-1/forget").leadsTo == "/")
            #expect(browsers.memory.devices.isEmpty)
            #expect(await browser.read("/devices/sweeper-1").status == 404)
        }
    }

    @Test func aForgottenDeviceThatComesBackIsSaid() async throws {
        try await withRobot { browsers in
            let browser = browsers.browser()
            browsers.home.keep(because: "not with <this> user")
            #expect(await browser.send("/devices/sweeper-1/forget").leadsTo == "/")
            let home = await browser.read("/").text
            #expect(home.contains("it will come back"))
            #expect(home.contains("not with &lt;this&gt; user"))
        }
    }

    @Test func aDeviceThatCannotBeForgottenStaysAndSaysWhy() async throws {
        try await withRobot { browsers in
            let browser = browsers.browser()
            browsers.home.fail(Self.broken)
            let answer = await browser.send("/devices/sweeper-1/forget")
            #expect(answer.leadsTo == "/devices/sweeper-1")
            let page = await browser.read("/devices/sweeper-1")
            #expect(page.status == 200 && page.text.contains("disk I/O error"))
        }
    }

    @Test func whatOneBrowserEntersAnotherOneDoesNotSee() async throws {
        try await withRobot { browsers in
            let (one, other) = (browsers.browser(), browsers.browser())
            let form = "argument-level=%22loud%22"
            let path = "/devices/sweeper-1/commands/set-suction-level"
            let answer = await one.send(path, form)
            #expect(answer.leadsTo == nil && answer.text.contains("Choose one."))
            let unsent = await one.send("/devices/sweeper-1/undo")
            #expect(unsent.leadsTo == "/devices/sweeper-1")
            let page = await other.read("/devices/sweeper-1")
            #expect(!page.text.contains("Choose one."))
            #expect(!page.text.contains("nothing to undo"))
            #expect(await one.read("/devices/sweeper-1").text.contains("nothing to undo"))
            #expect(await one.read("/devices/sweeper-1").text.contains("nothing to undo") == false)
        }
    }

    @Test func aCommandThatIsNotSentKeepsWhatWasEntered() async throws {
        try await withRobot { browsers in
            let answer = await browsers.browser().send(
                "/devices/sweeper-1/commands/set-suction-level", "argument-level=%22turbo%22")
            #expect(answer.leadsTo == nil && answer.text.contains("nobody is there"))
            #expect(answer.text.contains("value=\"&quot;turbo&quot;\" selected"))
        }
    }

    // MARK: Schedules

    @Test func aWrongScheduleSaysWhatIsWrong() async throws {
        try await withRobot { browsers in
            let browser = browsers.browser()
            let form = "add=sweeper-1/return-to-dock&day=sat"
            #expect(await browser.send("/schedules", form).text.contains("Time: This is needed."))
            let dated = await browser.send("/schedules", "\(form)&time=03:30&date=tomorrow")
            #expect(dated.text.contains("Date: year-month-day"))
            #expect(dated.text.contains("value=\"03:30\""))
            #expect(dated.text.contains("value=\"sat\" checked"))
            let both = await browser.send("/schedules", "\(form)&time=03:30&date=2026-12-24")
            #expect(both.leadsTo == nil && both.text.contains("A date is for once, days are"))
            #expect(both.text.contains("value=\"sat\" checked"))
            let noDay = await browser.send("/schedules", "\(form)&time=03:30&day=xyz")
            #expect(noDay.leadsTo == nil && noDay.text.contains("Days: Choose one."))
            // What is no schedule must not become another one.
            let none = await browser.send("/schedules", "\(form)&time=03:30&schedule=x")
            #expect(none.leadsTo == nil && none.text.contains("There is no such page"))
            browsers.home.fail(Self.broken)
            let refused = await browser.send("/schedules", "\(form)&time=03:30")
            #expect(refused.leadsTo == nil && refused.text.contains("disk I/O error"))
            browsers.home.fail(nil)
            #expect(await browser.send("/schedules", "\(form)&time=03:30").leadsTo == "/schedules")
            #expect(await browser.send("/schedules", "add=nobody/stop&time=03:30").leadsTo == nil)
        }
    }

    // MARK: Rules

    @Test func aWrongRuleSaysWhatIsWrongAndKeepsWhatWasEntered() async throws {
        try await withRobot { browsers in
            let browser = browsers.browser()
            let form = "when=value&do=device:sweeper-1/locate&member=batteryPercent"
            let wrong: [(String, String)] = [
                ("name=low&relation=%3C&value=", "id=\"rule-value-wrong\""),
                ("name=&relation=%3C&value=20", "id=\"rule-name-wrong\""),
                ("name=7&relation=%3C&value=20", "is a number, by which rules are called too"),
                ("name=low&relation=%3C&value=20&minutes=x", "id=\"rule-minutes-wrong\""),
                ("name=low&relation=%3C&value=20&rest=999999999", "id=\"rule-rest-wrong\""),
                ("name=low&relation=%3C&value=20&condition=dock", "id=\"rule-condition-wrong\""),
                ("name=low&relation=~&value=20", "id=\"rule-relation-wrong\""),
                ("name=low&relation=%3C&value=20&scope=x", "id=\"rule-scope-wrong\""),
                ("name=low&relation=%3C&value=20&scope=device:X", "id=\"rule-scope-wrong\""),
            ]
            for (fields, text) in wrong {
                let answer = await browser.send("/rules", "\(form)&\(fields)&tells=yes")
                #expect(answer.leadsTo == nil && answer.text.contains(text), "\(fields)")
                #expect(answer.text.contains("value=\"yes\" checked"))
            }
            browsers.home.fail(Self.broken)
            let refused = await browser.send(
                "/rules", "\(form)&name=low&relation=%3C&value=20&scope=room:Gone")
            #expect(refused.leadsTo == nil && refused.text.contains("disk I/O error"))
            #expect(refused.text.contains("value=\"low\""))
            #expect(refused.text.contains("value=\"room:Gone\" selected"))
            browsers.home.fail(nil)
            for path in ["when=never&do=notify", "when=event&do=device:nobody/stop", "when=event"] {
                let answer = await browser.send("/rules", path)
                #expect(answer.text.contains("There is no such page"), "\(path)")
            }
        }
    }

    @Test func aRuleIsAddedTriedPausedAndRemoved() async throws {
        try await withRobot { browsers in
            let browser = browsers.browser()
            #expect(await browser.read("/rules").text.contains("No rules yet"))
            let added = await browser.send(
                "/rules",
                "when=value&do=kind:sweeping-robot/locate&name=low&member=batteryPercent"
                    + "&relation=%3C&value=20&minutes=5&rest=60&scope=kind:sweeping-robot"
                    + "&condition=activity=idle&tells=yes")
            #expect(added.leadsTo == "/rules")
            let plan = try #require(try await browsers.home.rules().first?.plan)
            #expect(plan.trigger.description == "batteryPercent<20")
            #expect(plan.hold == .seconds(300) && plan.oncePer == .seconds(3_600))
            #expect(plan.scope == .kind("sweeping-robot"))
            #expect(plan.conditions.map(\.description) == ["activity=idle"])
            #expect(plan.actions == [.send(RuleCommand("locate")), .notify])
            let page = await browser.read("/rules").text
            for text in [
                "Battery &lt; 20 · For at least 5 min", "Sweeping robots", "Activity = Idle",
                "Locate · Tell me", "At most once in: 60 min",
            ] {
                #expect(page.contains(text), "\(text)")
            }
            let tried = await browser.read("/rules?test=1").text
            #expect(tried.contains("it would have run once."))
            #expect(tried.contains("sweeper-1 reported stuck"))
            #expect(await browser.send("/rules/1/pause").leadsTo == "/rules")
            #expect(await browser.read("/rules").text.contains("/rules/1/resume"))
            #expect(await browser.send("/rules/1/resume").leadsTo == "/rules")
            #expect(await browser.send("/rules/1/remove").leadsTo == "/rules")
            #expect(await browser.read("/rules").text.contains("No rules yet"))
            #expect(await browser.send("/rules/1/fly").text.contains("There is no such page"))
        }
    }

    @Test func whatARuleTellsIsOnTheHomePageAndForTheScript() async throws {
        try await withRobot { browsers in
            let browser = browsers.browser()
            #expect(await browser.read("/").text.contains("From your rules</h2>") == false)
            for number in 1...30 {
                browsers.memory.ruleTold(
                    "robot \(number) is stuck <b>", by: try GivenName("stuck"),
                    at: Timestamp(milliseconds: 1_764_000_000_000 + number))
            }
            let page = await browser.read("/").text
            #expect(page.contains("From your rules</h2>"))
            #expect(page.contains("robot 30 is stuck &lt;b&gt;"))
            #expect(page.contains("robot 11 is") && !page.contains("robot 10 is"))
            #expect(page.contains("data-at=\"1764000000030\""))
        }
    }

    // MARK: Adding a device

    @Test func aPersonIsLedFromTheCodeToThePageOfTheDevice() async throws {
        try await Browsers.run { browsers in
            let browser = browsers.browser()
            #expect(await browser.read("/provisioning").text.contains("name=\"code\""))
            #expect(await browser.send("/provisioning/code", "code=x").leadsTo == "/provisioning")
            #expect(await browser.read("/provisioning").text.contains("this is no setup code"))
            _ = await browser.send("/provisioning/code", "code=code")
            #expect(await browser.read("/provisioning").text.contains("PROV_ab12cd"))
            _ = await browser.send("/provisioning/network", "ssid=attic&password=p&device=Robot")
            let wrong = await browser.read("/provisioning").text
            #expect(wrong.contains("id=\"device-wrong\"") && wrong.contains("value=\"Robot\""))
            _ = await browser.send("/provisioning/network", "ssid=attic&password=wrong")
            await fail(browsers, .retryPassword)
            #expect(await browser.read("/provisioning").text.contains("the right Wi-Fi password"))
            _ = await browser.send("/provisioning/retry")
            let again = await browser.read("/provisioning").text
            #expect(again.contains("id=\"password-wrong\"") && again.contains("value=\"attic\""))
            #expect(!again.contains("value=\"wrong\""))
            _ = await browser.send("/provisioning/network", "ssid=attic&password=right")
            try await succeed(browsers, browser)
        }
    }

    private func fail(_ browsers: Browsers, _ advice: UserAction) async {
        let failure = ProvisioningFailure("attic refused it", advice)
        browsers.provisioning.next(.end(.failed(failure)))
        await until { browsers.pages.app.provisioning?.wizard.step == .failed(failure) }
    }

    private func succeed(_ browsers: Browsers, _ browser: Browser) async throws {
        let wizard = try #require(browsers.pages.app.provisioning?.wizard)
        for (count, stage) in ProvisioningPhase.allCases.enumerated() {
            browsers.provisioning.next(.report(.phase(stage)))
            await until { wizard.step == .running(stage, notice: nil) }
            let page = await browser.read("/provisioning").text
            #expect(page.components(of: "<li class=\"reached\"") == count, "\(stage)")
            #expect(page.components(of: "aria-current=\"step\"") == 1)
        }
        let device = try DeviceID("sweeper-9")
        browsers.provisioning.next(.end(.added(device)))
        await until { wizard.step == .added(device) }
        #expect(await browser.read("/provisioning").text.contains("The device is in the home."))
        #expect(await browser.send("/provisioning/done").leadsTo == "/devices/sweeper-9")
        #expect(await browser.read("/provisioning").text.contains("name=\"code\""))
    }

    @Test func theNetworksThatTheDeviceFindsCanBeChosenOrAnotherWritten() async throws {
        try await Browsers.run { browsers in
            let browser = browsers.browser()
            let wizard = try #require(browsers.pages.app.provisioning?.wizard)
            _ = await browser.send("/provisioning/code", "code=code")
            #expect(!(await browser.read("/provisioning").text.contains("<select")))
            _ = await browser.send("/provisioning/search", "ssid=&device=robo")
            #expect(await browser.read("/provisioning").text.contains("asked which networks"))
            browsers.provisioning.next(
                .networks(
                    .found([
                        FoundNetwork("attic <1>", signalDBm: -40, isOpen: false),
                        FoundNetwork("guests", signalDBm: -71, isOpen: true),
                    ])))
            await until { wizard.networks?.count == 2 }
            let page = await browser.read("/provisioning").text
            #expect(page.contains("attic &lt;1&gt; (-40 dBm)"))
            #expect(page.contains("guests (-71 dBm, open)") && page.contains("value=\"robo\""))
            // What is written counts before what is chosen.
            _ = await browser.send("/provisioning/network", "found=guests&ssid=cellar&device=X")
            #expect(wizard.network == "cellar")
            _ = await browser.send("/provisioning/network", "found=guests&ssid=&device=X")
            #expect(wizard.network == "guests")
            #expect(await browser.read("/provisioning").text.contains("selected"))
        }
    }

    @Test func theWizardIsLeftForTheHomePage() async throws {
        try await Browsers.run { browsers in
            let browser = browsers.browser()
            _ = await browser.send("/provisioning/code", "code=code")
            #expect(await browser.send("/provisioning/cancel").leadsTo == "/")
            #expect(await browser.read("/provisioning").text.contains("name=\"code\""))
        }
    }

    @Test func whatOneBrowserEntersIntoTheWizardAnotherOneDoesNotSee() async throws {
        try await Browsers.run { browsers in
            let (one, other) = (browsers.browser(), browsers.browser())
            _ = await one.send("/provisioning/code", "code=hello")
            #expect(await one.read("/provisioning").text.contains("value=\"hello\""))
            let fresh = await other.read("/provisioning").text
            #expect(fresh.contains("name=\"code\"") && !fresh.contains("hello"))
            #expect(!fresh.contains("code-wrong"))
            _ = await one.send("/provisioning/code", "code=code")
            #expect(await other.read("/provisioning").text.contains("PROV_ab12cd") == false)
            // Whoever begins takes the wizard; what the first one sends then changes nothing.
            _ = await other.send("/provisioning/code", "code=x")
            _ = await one.send("/provisioning/network", "ssid=attic&password=p")
            #expect(await one.read("/provisioning").text.contains("name=\"code\""))
            #expect(await other.read("/provisioning").text.contains("value=\"x\""))
        }
    }

    @Test func anAttemptThatRunsIsSeenByEverybodyAndItsEndByWhoBeganIt() async throws {
        try await Browsers.run { browsers in
            let (one, other) = (browsers.browser(), browsers.browser())
            _ = await one.send("/provisioning/code", "code=code")
            _ = await one.send("/provisioning/network", "ssid=attic&password=p")
            #expect(await other.read("/provisioning").text.contains("class=\"wizard\""))
            await fail(browsers, .runAgain)
            #expect(await one.read("/provisioning").text.contains("Attic refused it"))
            let fresh = await other.read("/provisioning").text
            #expect(fresh.contains("name=\"code\"") && !fresh.contains("refused it"))
        }
    }

    @Test func withoutAPartItsPageAndItsEntryAreMissing() async throws {
        try await Browsers.run(hasProvisioning: false) { browsers in
            let browser = browsers.browser()
            #expect(await browser.read("/provisioning").status == 404)
            #expect(await browser.send("/provisioning/code", "code=code").leadsTo == nil)
            #expect(await browser.read("/").text.contains("href=\"/provisioning\"") == false)
            #expect(await browser.read("/").text.contains("href=\"/channels\""))
        }
    }
}
