import DeviceDomain
import Markup
import SharedPresentation
import SimulationPresentation
import TestSupport
import Testing

@testable import Dashboard

/// The section of a simulated device on its page.
@MainActor @Suite(.timeLimit(.minutes(1))) struct SimulationTests {
    private static let page = "/devices/sweeper-1"
    private static let slow = "/devices/sweeper-1/faults/slow"

    private func withDevices(
        hasSimulation: Bool = true, _ body: (Browsers, Browser) async throws -> Void
    ) async throws {
        try await Browsers.run(hasSimulation: hasSimulation) { browsers in
            try browsers.home.announce("sweeper-s1", as: "sweeper-1")
            try browsers.home.announce("pool-p1", as: "pool-1")
            await until { browsers.memory.devices.count == 2 }
            try await body(browsers, browsers.browser())
        }
    }

    @Test func onlyASimulatedDeviceHasTheSection() async throws {
        try await withDevices { _, browser in
            let page = await browser.read(Self.page).text
            #expect(page.contains("id=\"simulation\"") && page.contains("It has no fault."))
            #expect(page.contains("action=\"\(Self.slow)#simulation\""))
            #expect(page.contains("Sends &lt;b&gt;late&lt;/b&gt;"))
            #expect(page.contains("1 – 600,000 ms. Empty: 3,000 ms"))
            #expect(
                await browser.read("/devices/pool-1").text.contains("id=\"simulation\"") == false)
        }
        try await withDevices(hasSimulation: false) { _, browser in
            #expect(await browser.read(Self.page).text.contains("id=\"simulation\"") == false)
            #expect(await browser.send(Self.slow).leadsTo == nil)
        }
    }

    @Test func aFaultHappensAndEndsByItsForms() async throws {
        try await withDevices { _, browser in
            #expect(await browser.read(Self.slow).status == 404)
            #expect(await browser.send(Self.slow, "fault-delayMs=500").leadsTo == Self.page)
            let page = await browser.read(Self.page).text
            #expect(page.contains("Delay: 500 ms · until it is ended"))
            #expect(page.contains("formaction=\"\(Self.slow)/end#simulation\""))
            #expect(await browser.send("\(Self.slow)/end").leadsTo == Self.page)
            #expect(await browser.read(Self.page).text.contains("It has no fault."))
        }
    }

    @Test func aFaultThatOthersGiveComesToAnOpenPage() async throws {
        try await withDevices { browsers, browser in
            _ = await browser.read(Self.page)
            let page = try #require(browsers.pages.livePages.values.first)
            let watcher = page.watch()
            let isShown = {
                page.current().parts.contains { $0.content.markup.contains("until it is ended") }
            }
            #expect(!isShown())
            let place = SimulatedPlace(
                home: browsers.home.id, device: try DeviceID("sweeper-1"), broker: "")
            try await browsers.fleet.inject(
                FaultOrder(fault: FakeFleet.slow.name, settings: ["delayMs": 500], lasting: nil),
                into: place)
            await browsers.pages.readShown()
            #expect(isShown())
            page.leave(watcher)
        }
    }

    @Test func aWrongEntryIsKeptAndNamedBesideItsField() async throws {
        try await withDevices { _, browser in
            let answer = await browser.send(Self.slow, "fault-delayMs=0")
            #expect(answer.leadsTo == nil)
            #expect(answer.text.contains("id=\"fault-slow-delayMs-wrong\""))
            #expect(answer.text.contains("value=\"0\""))
            #expect(answer.text.contains("id=\"fault-slow\" open"))
            #expect(await browser.read(Self.page).text.contains("It has no fault."))
        }
    }

    @Test func whatTheFleetRefusesIsSaidWithARemedy() async throws {
        try await withDevices { browsers, browser in
            browsers.fleet.fail(Failure("the fleet <is> gone", .startFleet))
            let answer = await browser.send(Self.slow)
            #expect(answer.leadsTo == nil && answer.text.contains("the fleet &lt;is&gt; gone"))
            #expect(answer.text.contains("Start the fleet again"))
            #expect(await browser.send("\(Self.slow)/end").leadsTo == Self.page)
            #expect(await browser.read(Self.page).text.contains("the fleet &lt;is&gt; gone"))
        }
    }

    @Test(arguments: [
        "/devices/sweeper-1/faults", "/devices/sweeper-1/faults/slow/no", "/devices/no/faults/slow",
        "/devices/sweeper-1/faults/slow/end/more",
    ])
    func otherPathsLeadNowhere(path: String) async throws {
        try await withDevices { _, browser in
            #expect(await browser.send(path).leadsTo == nil)
            #expect(await browser.read(Self.page).text.contains("It has no fault."))
        }
    }
}
