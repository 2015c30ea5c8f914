import DeviceDomain
import DeviceSimulation
import Reports
import Testing

@testable import Fleet

/// Reports as a page.
@Suite struct HTMLReportTests {
    /// A run whose robots moved and whose store was used.
    private func day() async throws -> FleetReport {
        let plan = FleetPlan(homes: .numbered(1), counts: .usual, seed: 3)
        return try await VirtualRun(
            of: plan, seed: 3, telemetryInterval: .seconds(60),
            epoch: Timestamp(milliseconds: 1_782_036_000_000), duration: .seconds(1800)
        ).run()
    }

    @Test func theVerdictIsTold() throws {
        #expect(HTMLReport.text(of: SampleReport.passed()).contains("<strong>Passed</strong>"))
        let broken = HTMLReport.text(of: try SampleReport.broken())
        #expect(broken.contains("<strong>Failed</strong>"))
        #expect(broken.contains("2 assertions and 1 invariant did not hold."))
        var slow = SampleReport.passed()
        for _ in 0..<100 { slow.addLateness(5000) }
        #expect(HTMLReport.text(of: slow).contains("<strong>Invalid</strong>"))
    }

    @Test func aRunThatCheckedNoAssertionHasNotPassed() {
        let page = HTMLReport.text(of: SampleReport.unchecked())
        #expect(page.contains("<strong>Not checked</strong>") && !page.contains("Passed"))
        #expect(page.contains("The scenario has 2 assertions, and none was checked in this run."))
        #expect(page.contains("<td>it needs a broker</td>"))
        var report = SampleReport.unchecked()
        report.assertions = [
            AssertionOutcome(name: "a", metric: "open-commands", passed: true, found: 0, text: "t")
        ]
        let some = HTMLReport.text(of: report)
        #expect(some.contains("<strong>Passed</strong>"))
        #expect(some.contains("Everything that was checked held. 2 assertions were not checked."))
    }

    @Test func nothingIsAskedForElsewhere() async throws {
        for page in [
            HTMLReport.text(of: try SampleReport.broken()), HTMLReport.text(of: try await day()),
        ] {
            for word in ["http:", "https:", "url(", "@import", "<script", "<link", "<img", "src="] {
                #expect(!page.contains(word), "\(word)")
            }
        }
    }

    /// Every element that begins ends, in the order of XML.
    @Test func thePageIsWellFormed() async throws {
        for page in [
            HTMLReport.text(of: try SampleReport.broken()), HTMLReport.text(of: try await day()),
        ] {
            var open: [Substring] = []
            for tag in page.split(separator: "<").dropFirst() where !tag.hasPrefix("!doctype") {
                let name = tag.prefix { !" />".contains($0) }
                let head = tag.prefix { $0 != ">" }
                if tag.hasPrefix("/") {
                    let ended = tag.dropFirst().prefix { $0 != ">" }
                    #expect(open.popLast() == ended)
                } else if !head.hasSuffix("/") {
                    open.append(name)
                }
            }
            #expect(open.isEmpty)
        }
    }

    @Test func textsCannotEndTheirElements() throws {
        let page = HTMLReport.text(of: try SampleReport.broken())
        #expect(page.contains("&lt;/text&gt;&lt;script&gt;"))
        #expect(page.contains("<h1>A &lt;storm&gt;</h1>"))
    }

    @Test func theDayOfAStoreIsDrawn() async throws {
        let page = HTMLReport.text(of: try await day())
        #expect(page.contains("<h2>A store and its home</h2>"))
        #expect(page.contains("home-1/store-1") && page.contains("Into the store"))
        #expect(!page.contains("The fleet over time"), "no broker, no connections")
    }

    @Test func faultsAreBarsOverTheTimeOfTheRun() throws {
        var report = SampleReport.passed()
        let device = DeviceKey(home: try HomeID("home-1"), device: try DeviceID("sweeper-1"))
        report.faults = [
            FaultLog.Entry(
                fault: "stuck", device: device, from: report.epoch.advanced(by: .seconds(150)),
                until: report.epoch.advanced(by: .seconds(300))),
            FaultLog.Entry(
                fault: "mute", device: device, from: report.epoch.advanced(by: .seconds(300)),
                until: nil),
        ]
        let page = HTMLReport.text(of: report)
        #expect(page.contains("class=\"bar\" style=\"left:25%;width:25%\""))
        #expect(page.contains("class=\"bar open\" style=\"left:50%;width:50%\""))
    }

    @Test func manyFaultsAreARowEach() throws {
        var report = SampleReport.passed()
        for number in 1...60 {
            let device = DeviceKey(home: try HomeID("home-1"), device: try DeviceID("d-\(number)"))
            report.faults.append(
                FaultLog.Entry(fault: "mute", device: device, from: report.epoch, until: nil))
        }
        let page = HTMLReport.text(of: report)
        #expect(page.contains("<b>mute</b> 60 devices"))
        #expect(page.contains("mute of 60 devices (home-1/d-1, home-1/d-2, "))
        #expect(page.contains("home-1/d-12 and 48 more) from 2026-"))
        #expect(page.components(named: "class=\"row\"") == 2, "the fault and the axis")
    }
}

extension String {
    /// How often a text is in this one.
    fileprivate func components(named text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
