import ArgumentParser
import DeviceSimulation
import Fleet
import Glibc
import Scenarios
import TerminalOutput

/// `homeport-sim replay`: the run of a report once more.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Run the scenario of a report again, or find the smallest one that still fails.",
        usage: "homeport-sim replay REPORT.json [--shrink] [-- options of run]",
        discussion: """
            The scenario, the seed and the start of the world clock are those of the report. What \
            follows `--` are options of `homeport-sim run`, such as --broker or --report. A report \
            does not know what else the run was given beside its scenario, such as --duration: give \
            it again.

            With --shrink the scenario is run again and again with fewer faults, commands and \
            devices, each time in a process of its own, for as long as one of the assertions or \
            invariants of the report still fails. The smallest scenario is printed on standard \
            output. With `speed: max` a trial takes seconds; with a broker it takes as long as the \
            scenario, and what depends on the wall clock may fail in one trial and hold in the next.

            EXAMPLE
              homeport-sim replay night.json
              homeport-sim replay night.json -- --broker mqtt://broker.example --report again.json
              homeport-sim replay night.json --shrink > smallest.yaml

            EXIT STATUS
              as run; with --shrink
              0   the smallest scenario was printed
              2   the report has no scenario, nothing failed in it, or nothing fails any more
              64  wrong options
            """)

    @Argument(
        help: ArgumentHelp("The report, as run wrote it.", valueName: "REPORT.json"),
        completion: .file(extensions: ["json"]))
    var report: String

    @Flag(help: "Print the smallest scenario that still fails.")
    var shrink = false

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp("Options of 'homeport-sim run'.", valueName: "options of run"))
    var options: [String] = []

    func run() async throws {
        do {
            let former = try ReportedRun(path: report)
            if shrink { try await shrink(former) } else { try replay(former) }
        } catch {
            Console.simulator.note("\(error)")
            throw ExitStatus.after(error)
        }
    }

    /// Becomes the run.
    private func replay(_ former: ReportedRun) throws {
        // A file without a name that the run and its workers inherit: none is left behind, however it ends.
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var path = Array("\(folder)/homeport-sim-replay-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        unlink(path)
        let text = Array(former.scenario.text.utf8)
        guard file >= 0, write(file, text, text.count) == text.count else {
            throw ReplayError("cannot keep the scenario: \(String(cString: strerror(errno)))")
        }
        let words = ["homeport-sim"] + former.words(running: "/proc/self/fd/\(file)") + options
        var arguments = words.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        throw ReplayError("cannot run the scenario: \(String(cString: strerror(errno)))")
    }

    private func shrink(_ former: ReportedRun) async throws {
        guard !former.failures.isEmpty else {
            throw ReplayError("nothing failed in \(report): there is nothing to shrink")
        }
        let folder = try JournalDirectory.temporary()
        defer { folder.release() }
        let trials = ShrinkTrials(of: former, in: folder.path, passing: options)
        guard try await trials.fails(former.scenario) else {
            throw ReplayError(
                "this time nothing of it failed (\(former.failures.sorted().joined(separator: ", "))); "
                    + "a cause that comes and goes cannot be found by leaving things out")
        }
        let smallest = try await ScenarioShrinker.smallest(
            of: former.scenario, failing: trials.fails)
        Console.simulator.write([String(smallest.written.dropLast())])
    }
}

/// The run that a report tells of.
struct ReportedRun {
    /// The scenario that was run, with the seed and the epoch that the run had.
    let scenario: Scenario
    /// The names of the assertions that did not hold, and of the invariants that were violated.
    let failures: Set<String>
    private let report: FleetReport

    /// Reads a report. Blocks on the file system.
    /// - Throws: an error that names the file: it is no report, or has no scenario that this version takes.
    init(path: String) throws {
        report = try ReportFile.read(path)
        guard let text = report.scenario else {
            throw ReplayError(
                "the run of \(path) had no scenario: repeat it with the options that it had")
        }
        var scenario = try Scenario(text, path: "\(path) (scenario)")
        // The file may have left them open, or an option may have had its way.
        scenario.seed = report.seed
        scenario.epoch = report.epoch
        self.scenario = scenario
        failures = report.failures
    }

    /// The words that run a file of its scenario again.
    func words(running file: String) -> [String] {
        ["run", file, "--seed", "\(report.seed)", "--epoch", "\(report.epoch)"]
    }
}

extension FleetReport {
    /// The names of the assertions that did not hold, and of the invariants that were violated.
    var failures: Set<String> {
        let assertions = assertions.filter { !$0.passed }.map(\.name)
        return Set(assertions).union(invariants.entries.keys)
    }
}

/// Something keeps a run from being repeated.
struct ReplayError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
