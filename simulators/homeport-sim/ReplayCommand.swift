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
            The scenario, the seed, the start of the world clock and the speed are those of the \
            report. What follows `--` are options of `homeport-sim run`, such as --broker or \
            --report, and wins. A report does not know what else the run was given beside its \
            scenario, such as --duration: give it again.

            With --shrink the scenario is run again and again with fewer faults, commands and \
            devices, each time in a process of its own, for as long as one of the assertions or \
            invariants of the report still fails; an assertion that finds nothing to measure does \
            not count. The smallest scenario is printed on standard output, without the assertions \
            that held. With `speed: max` a trial takes seconds; with a broker it takes as long as \
            the scenario, and what depends on the wall clock may fail in one trial and hold in the \
            next. An interrupt ends the trial that runs, and prints nothing.

            EXAMPLE
              homeport-sim replay night.json
              homeport-sim replay night.json -- --broker mqtt://broker.example --report again.json
              homeport-sim replay night.json --shrink > smallest.yaml

            EXIT STATUS
              as run; with --shrink
              0   the smallest scenario was printed
              2   the report has no scenario, nothing failed in it, nothing fails any more, or an interrupt
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
            let former = try ReportedRun(path: report, passing: options)
            if shrink { try await shrink(former) } else { try replay(former) }
        } catch let status as ExitCode {
            throw status
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
        // A thread of tasks blocks signals, and the program would inherit that.
        var nothing = sigset_t()
        sigemptyset(&nothing)
        pthread_sigmask(SIG_SETMASK, &nothing, nil)
        let words = ["homeport-sim"] + former.words(running: "/proc/self/fd/\(file)")
        var arguments = words.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &arguments)
        throw ReplayError("cannot run the scenario: \(String(cString: strerror(errno)))")
    }

    private func shrink(_ former: ReportedRun) async throws {
        guard !former.failures.isEmpty else {
            throw ReplayError(
                "nothing failed in \(report) that was measured: there is nothing to shrink")
        }
        do {
            let smallest = try await UntilInterrupt.run(for: nil) {
                try await Self.smallest(failingAs: former)
            }
            try Console.simulator.writeResult([String(smallest.written.dropLast())])
        } catch is CancellationError {
            throw ReplayError("interrupted before the smallest scenario was found")
        }
    }

    private static func smallest(failingAs former: ReportedRun) async throws -> Scenario {
        let folder = try JournalDirectory.temporary()
        defer { folder.release() }
        // A trial that ends before it heeds signals leaves its folders there.
        setenv("TMPDIR", folder.path, 1)
        let trials = ShrinkTrials(of: former, in: folder.path)
        let scenario = former.scenarioOfFailures
        guard try await trials.fails(scenario) else {
            throw ReplayError(
                "this time nothing of it failed (\(former.failureNames.joined(separator: ", "))); "
                    + "a cause that comes and goes cannot be found by leaving things out")
        }
        return try await ScenarioShrinker.smallest(of: scenario, failing: trials.fails)
    }
}

/// The run that a report tells of.
struct ReportedRun {
    /// The scenario that was run, with the seed and the epoch that the run had.
    let scenario: Scenario
    /// What did not hold.
    let failures: Set<ReportedFailure>
    private let report: FleetReport
    /// Options of `homeport-sim run` that win over the report.
    private let options: [String]
    /// How fast the run is to go again; `nil` as its scenario says.
    private let speed: WorldSpeed?

    /// Reads a report. Blocks on the file system.
    /// - Parameter options: options of `homeport-sim run` that win over the report.
    /// - Throws: an error that names the file: it is no report, or has no scenario that this version takes.
    init(path: String, passing options: [String]) throws {
        report = try ReportFile.read(path)
        self.options = options
        guard let text = report.scenario else {
            throw ReplayError(
                "the run of \(path) had no scenario: repeat it with the options that it had")
        }
        speed = Self.speed(in: options) ?? report.askedSpeed
        var scenario = try Scenario(text, path: "\(path) (scenario)", at: speed)
        // The file may have left them open, or an option may have had its way.
        scenario.seed = report.seed
        scenario.epoch = report.epoch
        self.scenario = scenario
        failures = ReportedFailure.all(in: report, of: scenario)
    }

    /// What `--speed` says among options; `nil` where it is missing.
    private static func speed(in options: [String]) -> WorldSpeed? {
        let name = "--speed"
        let texts = options.indices.compactMap { place -> String? in
            if options[place] == name { return options[(place + 1)...].first }
            return options[place].hasPrefix("\(name)=")
                ? String(options[place].dropFirst(name.count + 1)) : nil
        }
        return texts.last.flatMap(WorldSpeed.init(written:))
    }

    /// The words that run a file of its scenario again.
    func words(running file: String) -> [String] {
        ["run", file, "--seed", "\(report.seed)", "--epoch", "\(report.epoch)"]
            + (report.askedSpeed.map { ["--speed", $0.written] } ?? []) + options
    }

    /// The scenario without the assertions that held or found nothing to measure, at the speed of the run.
    var scenarioOfFailures: Scenario {
        var scenario = scenario
        scenario.assertions = scenario.assertions.filter { failureNames.contains($0.name) }
        if let speed, speed != .times(1) || scenario.speed != nil { scenario.speed = speed }
        return scenario
    }

    /// How fast a scenario of this run goes, and how long that takes.
    func pace(of scenario: Scenario) -> String {
        switch speed ?? scenario.speed ?? .times(1) {
        case .max: "at --speed max"
        case .times(let factor):
            "about \(((scenario.duration ?? .zero) / factor).writtenBriefly) with a broker"
        }
    }

    /// The names of what did not hold, in order.
    var failureNames: [String] { failures.map(\.name).sorted() }

    /// Whether something of it did not hold in another run, too.
    func failsAgain(in other: FleetReport) -> Bool {
        !ReportedFailure.all(in: other, of: scenario).isDisjoint(with: failures)
    }
}

/// An assertion that was measured and did not hold, or an invariant that was violated.
enum ReportedFailure: Hashable {
    /// Less was found than an assertion asks for.
    case below(assertion: String)
    /// More was found than an assertion allows.
    case above(assertion: String)
    /// An invariant of the world was violated.
    case invariant(String)

    /// What it is called.
    var name: String {
        switch self {
        case .below(let name), .above(let name), .invariant(let name): name
        }
    }

    /// What did not hold in a run of a scenario. An assertion that found nothing to measure says nothing.
    static func all(in report: FleetReport, of scenario: Scenario) -> Set<ReportedFailure> {
        let assertions = report.assertions.compactMap { outcome -> ReportedFailure? in
            guard !outcome.passed, let found = outcome.found else { return nil }
            let asked = scenario.assertions.first { $0.name == outcome.name }
            let isBelow = asked?.least.map { found < $0 } ?? false
            return isBelow ? .below(assertion: outcome.name) : .above(assertion: outcome.name)
        }
        return Set(assertions).union(report.invariants.entries.keys.map { .invariant($0) })
    }
}

/// Something keeps a run from being repeated.
struct ReplayError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
