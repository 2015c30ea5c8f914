import DeviceSimulation
import Fleet
import Reports
import Testing

/// Reports as JUnit's XML. `Tests/Interoperability/test_reports.py` reads them with another program's reader.
@Suite struct JUnitReportTests {
    @Test func aRunThatWentWellHasATestcaseForEachInvariant() {
        let text = JUnitReport.text(of: SampleReport.passed())
        #expect(text.hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "))
        let count = Invariant.all.count + 1
        #expect(text.contains("name=\"homeport-sim\" tests=\"\(count)\" failures=\"0\""))
        for invariant in Invariant.all {
            #expect(text.contains("name=\"\(invariant.name)\"></testcase>"))
        }
        #expect(!text.contains("<failure"))
    }

    @Test func aFailureSaysWhatWasFoundAtWhichDeviceAndInstant() throws {
        let text = JUnitReport.text(of: try SampleReport.broken())
        #expect(text.contains("failures=\"3\""))
        #expect(text.contains("message=\"command-p99 is 812.5\""))
        #expect(text.contains("of home-1/sweeper-1 at 2026-06-21T10:00:00Z"))
        #expect(text.contains("message=\"there was nothing to measure\""))
        #expect(
            text.contains("home-2/sweeper-1 at 2026-06-21T10:00:05.000Z: it moved 3 m"), "\(text)")
        #expect(text.contains("it did not hold 2 times"))
    }

    @Test func whatWasNotCheckedIsSkippedAndSaysWhy() {
        let text = JUnitReport.text(of: SampleReport.unchecked())
        #expect(
            text.contains(
                "name=\"assertions\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"2\""))
        #expect(
            text.contains("name=\"all told\"><skipped message=\"it needs a broker\"></skipped>"),
            "\(text)")
    }

    @Test func aMachineThatWasTooSlowIsAFailure() {
        var report = SampleReport.passed()
        for _ in 0..<100 { report.addLateness(5000) }
        let text = JUnitReport.text(of: report)
        #expect(text.contains("<failure type=\"saturation\" message=\"generator saturated, result"))
    }

    @Test func textsCannotEndTheirElements() throws {
        let text = JUnitReport.text(of: try SampleReport.broken())
        #expect(!text.contains("<script") && !text.contains("]]>"))
        #expect(text.contains("name=\"&lt;/text&gt;&lt;script&gt;alert(&quot;1&quot;)"))
    }
}
