import ArgumentParser
import Fleet
import TerminalOutput

/// `homeport-sim report`: joins the reports of shards.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Join the JSON reports of shards into one, or write one anew as another kind.",
        discussion: """
            EXAMPLE
              homeport-sim report all.json part-1.json part-2.json part-3.json
              homeport-sim report day.html day.json

            JOINED may end in .xml for JUnit or in .html for a page, as with --report. The parts must \
            be of one run: the same --seed, --epoch and scenario, and no device twice. Percentiles \
            are those of the merged histograms; an assertion holds where it held in every part.

            EXIT STATUS
              0   every assertion and invariant held
              1   an assertion failed or an invariant did not hold
              2   a file cannot be read or written, or a part is not valid: its machine was too slow
              64  wrong options
              65  a file is no report, or the parts do not belong together
            """)

    @Argument(
        help: ArgumentHelp("Where the whole report is written.", valueName: "joined"),
        completion: .file(), transform: ReportFile.option)
    var joined: ReportFile

    @Argument(
        help: ArgumentHelp("JSON reports of the parts.", valueName: "part"),
        completion: .file(extensions: ["json"]))
    var parts: [String]

    func run() throws {
        do {
            let reports = try parts.map { (name: $0, report: try ReportFile.read($0)) }
            let whole = try FleetReport.joining(reports)
            try joined.write(whole)
            try RunVerdict(of: whole, in: [joined.path]).check()
        } catch {
            Console.simulator.note("\(error)")
            throw ExitStatus.after(error)
        }
    }
}
