import Fleet
import Glibc
import Scenarios
import TerminalOutput

/// Runs smaller scenarios, each in a process of its own, and looks whether they fail as a former run did.
final class ShrinkTrials {
    private let former: ReportedRun
    private let folder: String
    private var count = 0

    /// - Parameters:
    ///   - former: the run whose failures are looked for.
    ///   - folder: where scenarios and reports are kept meanwhile.
    init(of former: ReportedRun, in folder: String) {
        self.former = former
        self.folder = folder
    }

    /// Whether one of the failures of the former run comes with this scenario, too.
    /// - Throws: `CancellationError` where the task is cancelled: the trial has ended by then.
    func fails(_ scenario: Scenario) async throws -> Bool {
        let (file, report) = ("\(folder)/scenario.yaml", "\(folder)/report.json")
        let text = scenario.written
        // A scenario that lost what something in it is about is none.
        guard (try? Scenario(text, path: file)) != nil else { return false }
        count += 1
        guard let output = fopen(file, "we") else {
            throw ReportNotWritten(path: file, error: errno)
        }
        let isWritten = fputs(text, output) >= 0
        guard fclose(output) == 0, isWritten else {
            throw ReportNotWritten(path: file, error: errno)
        }
        let devices = scenario.groups.reduce(0) { $0 + $1.count } * scenario.homes
        Console.simulator.note(
            "trial \(count) begins: faults \(scenario.faults.count), commands "
                + "\(scenario.commands.count), devices \(devices), \(former.pace(of: scenario))")
        let end = try await TrialProcess.run(
            ["homeport-sim"] + former.words(running: file) + ["--report", report])
        try Task.checkCancellation()
        guard case .status(let status) = end, status == 0 || status == 1 else {
            throw ReplayError("a trial \(end): 'homeport-sim replay' without --shrink tells why")
        }
        let fails = try former.failsAgain(in: ReportFile.read(report))
        Console.simulator.note("trial \(count) \(fails ? "fails" : "holds")")
        return fails
    }
}
