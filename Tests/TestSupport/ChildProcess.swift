private import Glibc
internal import Subprocess

/// A program that runs beside a test.
package final class ChildProcess {
    /// Which of its streams the test reads, line by line; the other one is discarded.
    package enum Stream: Sendable {
        case output, errors
    }

    /// How a program ended.
    package struct Ending<Value: Sendable>: Sendable {
        /// Its exit status; the number of the signal that killed it, negative.
        package let status: Int32
        /// All the lines that it wrote to the stream that was read.
        package let lines: [String]
        /// What the test's body returned.
        package let value: Value
    }

    /// Its process.
    package let processID: Int32
    /// The lines that were read until now.
    package private(set) var lines: [String] = []
    private var iterator: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator

    private init(_ process: ProcessIdentifier, _ stream: SubprocessOutputSequence) {
        processID = process.value
        iterator = stream.strings().makeAsyncIterator()
    }

    /// The next line; `nil` when the program has ended.
    @discardableResult
    package func line() async throws -> String? {
        guard let line = try await iterator.next(isolation: nil) else { return nil }
        lines.append(line)
        return line
    }

    /// Waits for a line that begins so, and returns what follows.
    @discardableResult
    package func line(beginning start: String) async throws -> String {
        while let line = try await line() {
            if line.hasPrefix(start) { return String(line.dropFirst(start.count)) }
        }
        throw TestSupportError("the program ended without saying \(start): \(lines)")
    }

    /// Reads to the end of the program.
    package func readToEnd() async throws {
        while try await line() != nil {}
    }

    /// Asks it to end, as Ctrl-C does.
    package func interrupt() { Glibc.kill(processID, SIGINT) }

    /// Lets it do nothing more.
    package func suspend() { Glibc.kill(processID, SIGSTOP) }

    /// Ends it without a goodbye.
    package func kill() { Glibc.kill(processID, SIGKILL) }
}

extension ChildProcess {
    /// Runs a program beside `body`, which has its standard input held open, then waits for the
    /// program's end.
    package static func run<Value: Sendable>(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil,
        reading stream: Stream, _ body: (ChildProcess) async throws -> Value
    ) async throws -> Ending<Value> {
        let command = Configuration(
            executable: .name("env"), arguments: Arguments([program] + arguments),
            environment: environment.asEnvironment)
        switch stream {
        case .output:
            let result = try await Subprocess.run(
                command, input: .inputWriter, output: .sequence, error: .discarded
            ) { execution in
                try await ChildProcess(execution.processIdentifier, execution.standardOutput)
                    .accompanied(by: body, holding: execution.standardInputWriter)
            }
            return Ending(result.terminationStatus, result.closureResult)
        case .errors:
            let result = try await Subprocess.run(
                command, input: .inputWriter, output: .discarded, error: .sequence
            ) { execution in
                try await ChildProcess(execution.processIdentifier, execution.standardError)
                    .accompanied(by: body, holding: execution.standardInputWriter)
            }
            return Ending(result.terminationStatus, result.closureResult)
        }
    }

    /// Runs a program to its end.
    package static func runToEnd(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil
    ) async throws -> (status: Int32, output: String, errors: String) {
        let result = try await Subprocess.run(
            .name("env"), arguments: Arguments([program] + arguments),
            environment: environment.asEnvironment, input: .none,
            output: .string(limit: 8 << 20), error: .string(limit: 1 << 20))
        return (result.terminationStatus.number, result.standardOutput, result.standardError)
    }

    /// Programs lie beside the tests.
    package static func path(of program: String) throws(TestSupportError) -> String {
        guard let resolved = realpath("/proc/self/exe", nil) else {
            throw TestSupportError("cannot read /proc/self/exe: errno \(errno)")
        }
        defer { free(resolved) }
        let tests = String(cString: resolved)
        guard let slash = tests.lastIndex(of: "/") else {
            throw TestSupportError("cannot tell where \(tests) lies")
        }
        return tests[...slash] + program
    }

    private func accompanied<Value: Sendable>(
        by body: (ChildProcess) async throws -> Value, holding input: StandardInputWriter
    ) async throws -> (lines: [String], value: Value) {
        do {
            let value = try await body(self)
            try await input.finish()
            try await readToEnd()
            return (lines, value)
        } catch {
            kill()
            throw error
        }
    }
}

extension ChildProcess.Ending {
    fileprivate init(_ status: TerminationStatus, _ result: (lines: [String], value: Value)) {
        self.init(status: status.number, lines: result.lines, value: result.value)
    }
}

extension TerminationStatus {
    /// The exit status; the number of the signal, negative.
    fileprivate var number: Int32 {
        switch self {
        case .exited(let code): code
        case .signaled(let signal): -signal
        }
    }
}

extension [String: String]? {
    /// These variables alone; where there are none, those of the tests.
    fileprivate var asEnvironment: Environment {
        guard let self else { return .inherit }
        return .custom(
            Dictionary(
                uniqueKeysWithValues: self.map {
                    (Environment.Key(stringLiteral: $0.key), $0.value)
                }))
    }
}
