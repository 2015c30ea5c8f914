import Dispatch
import Fleet
import Glibc
import Scenarios
import TerminalOutput

/// Runs smaller scenarios, each in a process of its own, and looks whether they fail as a former run did.
final class ShrinkTrials {
    private let former: ReportedRun
    private let folder: String
    private let options: [String]
    private var count = 0
    private let queue = DispatchQueue(label: "trials")

    /// - Parameters:
    ///   - folder: where scenarios and reports are kept meanwhile.
    ///   - options: further options of each run.
    init(of former: ReportedRun, in folder: String, passing options: [String]) {
        self.former = former
        self.folder = folder
        self.options = options
    }

    /// Whether one of the failures of the former run comes with this scenario, too.
    func fails(_ scenario: Scenario) async throws -> Bool {
        count += 1
        let (file, report) = ("\(folder)/scenario.yaml", "\(folder)/report.json")
        let text = scenario.written
        // A scenario that lost what something in it is about is none.
        guard (try? Scenario(text, path: file)) != nil else { return false }
        guard let output = fopen(file, "we") else {
            throw ReportNotWritten(path: file, error: errno)
        }
        let isWritten = fputs(text, output) >= 0
        guard fclose(output) == 0, isWritten else {
            throw ReportNotWritten(path: file, error: errno)
        }
        let words =
            ["homeport-sim"] + former.words(running: file) + ["--report", report] + options
        let process = try WorkerProcess.startSilently(words)
        let end = await withCheckedContinuation { waiter in
            queue.async { waiter.resume(returning: WorkerProcess.end(of: process)) }
        }
        guard case .status(let status) = end, status == 0 || status == 1 else {
            throw ReplayError("a trial \(end): 'homeport-sim replay' without --shrink tells why")
        }
        let fails = try !ReportFile.read(report).failures.isDisjoint(with: former.failures)
        let devices = scenario.groups.reduce(0) { $0 + $1.count } * scenario.homes
        Console.simulator.note(
            "trial \(count): faults \(scenario.faults.count), commands \(scenario.commands.count), "
                + "devices \(devices): \(fails ? "fails" : "holds")")
        return fails
    }
}
