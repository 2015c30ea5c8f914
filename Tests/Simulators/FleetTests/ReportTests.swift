import Testing

@testable import Fleet

@Suite struct ReportTests {
    private func text(_ notice: FleetNotice?) -> String? { notice.map { "\($0)" } }

    @Test func aLossIsSaidOnceAnAttemptHasFailedAndThenTheReturn() {
        var outage = OutageReport()
        _ = outage.allReady(7, of: nil)
        outage.allLost("gone")
        let loss = text(outage.attemptFailed(at: nil))
        #expect(loss == "lost the broker: gone; devices keep running and reconnect")
        #expect(text(outage.attemptFailed(at: nil)) == nil)
        #expect(text(outage.allReady(7, of: nil)) == "all 7 devices are connected again")
    }

    @Test func aBreakOfAllConnectionsThatIsOverAtOnceIsOneLine() {
        var outage = OutageReport()
        _ = outage.allReady(7, of: nil)
        outage.allLost("gone")
        let line = "all connections broke: gone; all 7 devices are connected again"
        #expect(text(outage.allReady(7, of: nil)) == line)
        #expect(text(outage.attemptFailed(at: nil)) == nil)
    }

    @Test func aTakeoverIsNoLossOfTheBroker() {
        var outage = OutageReport()
        _ = outage.allReady(7, of: nil)
        outage.allLost("gone")
        outage.takenOver()
        #expect(text(outage.allReady(7, of: nil)) == nil)
        #expect(text(outage.attemptFailed(at: nil)) == nil)
    }

    @Test func noLossBeforeReady() {
        var outage = OutageReport()
        outage.allLost("not yet there")
        #expect(text(outage.attemptFailed(at: nil)) == nil)
        #expect(text(outage.allReady(7, of: nil)) == nil)
    }

    @Test func namesTheFirstDevicesWithATroubleAndSumsUpTheRest() {
        var report = TroubleReport()
        let notices = (0..<20).compactMap {
            text(report.notice("trouble", of: $0, .refused(device: "d\($0)", reason: "no")))
        }
        #expect(notices.count == TroubleReport.namedDevices + 1)
        #expect(notices.first?.hasPrefix("d0: ") == true)
        #expect(notices.last == "more devices: trouble; not named one by one")
    }

    @Test func reportsADeviceOncePerTrouble() {
        var report = TroubleReport()
        let notice = FleetNotice.refused(device: "d", reason: "no")
        #expect(report.notice("a", of: 1, notice) != nil)
        #expect(report.notice("a", of: 1, notice) == nil)
        #expect(report.notice("b", of: 1, notice) != nil)
    }
}
