import Glibc
import Subprocess
import TestSupport

/// The program `homeport-sim` as a child of the test.
final class SimulatorProcess {
    /// How a program ended.
    struct Ending<Value: Sendable>: Sendable {
        /// Its exit status; the number of the signal that killed it, negative.
        let status: Int32
        /// All that it wrote to standard error.
        let lines: [String]
        /// What the test's body returned.
        let value: Value
    }

    private typealias Lines = SubprocessOutputSequence.StringSequence<UTF8>

    /// Its process.
    let processID: Int32
    private var iterator: Lines.AsyncIterator
    private(set) var lines: [String] = []

    private init(processID: Int32, lines: Lines) {
        self.processID = processID
        iterator = lines.makeAsyncIterator()
    }

    /// Waits for a line of standard error that begins so, and returns what follows.
    @discardableResult
    func line(beginning start: String) async throws -> String {
        while let line = try await next() {
            if line.hasPrefix(start) { return String(line.dropFirst(start.count)) }
        }
        throw TestSupportError("homeport-sim ended without saying \(start): \(lines)")
    }

    /// Reads standard error to its end.
    func readToEnd() async throws {
        while try await next() != nil {}
    }

    /// Asks it to end, as Ctrl-C does.
    func interrupt() { kill(processID, SIGINT) }

    /// Ends it without a goodbye.
    func killAtOnce() { kill(processID, SIGKILL) }

    private func next() async throws -> String? {
        guard let line = try await iterator.next(isolation: nil) else { return nil }
        lines.append(line)
        return line
    }
}

extension SimulatorProcess {
    /// Runs `homeport-sim run` with options beside `body`, and interrupts it afterwards.
    @discardableResult
    static func run<R: Sendable>(
        _ options: [String], through shell: String = "", body: (SimulatorProcess) async throws -> R
    ) async throws -> Ending<R> {
        let command = "\(shell) exec \"$0\" run \"$@\""
        let result = try await Subprocess.run(
            .name("sh"), arguments: Arguments(["-c", command, try path()] + options),
            environment: .inherit.updating(["XDG_RUNTIME_DIR": try meetingFolder()]),
            input: .none, output: .discarded, error: .sequence
        ) { execution in
            let simulator = SimulatorProcess(
                processID: execution.processIdentifier.value,
                lines: execution.standardError.strings())
            do {
                let value = try await body(simulator)
                simulator.interrupt()
                try await simulator.readToEnd()
                return (simulator.lines, value)
            } catch {
                simulator.killAtOnce()
                throw error
            }
        }
        let (lines, value) = result.closureResult
        return Ending(status: number(result.terminationStatus), lines: lines, value: value)
    }

    /// Runs `homeport-sim run` with options until it ends by itself.
    static func runToEnd(_ options: [String], through shell: String = "") async throws
        -> Ending<Void>
    {
        try await run(options, through: shell) { try await $0.readToEnd() }
    }

    private static func number(_ status: TerminationStatus) -> Int32 {
        switch status {
        case .exited(let code): code
        case .signaled(let signal): -signal
        }
    }

    /// The program lies beside the test program.
    private static func path() throws -> String {
        guard let resolved = realpath("/proc/self/exe", nil) else {
            throw TestSupportError("cannot read /proc/self/exe: \(errno)")
        }
        defer { free(resolved) }
        let program = String(cString: resolved)
        guard let slash = program.lastIndex(of: "/") else {
            throw TestSupportError("cannot tell where \(program) lies")
        }
        return program[...slash] + "homeport-sim"
    }

    /// A meeting point of the tests' own: no controller shall find their brokers.
    private static func meetingFolder() throws -> String {
        let folder = "/tmp/homeport-end-to-end-\(getuid())"
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
            throw TestSupportError("cannot make \(folder): \(errno)")
        }
        return folder
    }
}
