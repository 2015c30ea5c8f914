private import Glibc
internal import Subprocess

/// The built `homeport` while it runs.
package struct RunningProgram {
    private var output: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator
    private let processID: Int32

    init(_ output: SubprocessOutputSequence, processID: Int32) {
        self.output = output.strings().makeAsyncIterator()
        self.processID = processID
    }

    /// The next line of stdout; `nil` when the program has ended.
    package mutating func line() async throws -> String? {
        while let line = try await output.next() {
            if !line.isEmpty { return line }
        }
        return nil
    }

    /// Presses Ctrl-C.
    package func interrupt() { send(SIGINT) }

    /// Ends the program without giving it a chance to do anything.
    package func kill() { send(SIGKILL) }

    private func send(_ signal: Int32) { Glibc.kill(processID, signal) }
}

extension Workplace {
    /// Runs `homeport` beside `body`, which must bring it to its end.
    /// - Returns: the exit status; `nil` where a signal ended it.
    package func running(
        _ arguments: String..., environment: [String: String] = [:],
        _ body: (inout RunningProgram) async throws -> Void
    ) async throws -> Int32? {
        let result = try await Subprocess.run(
            .name("env"), arguments: Arguments([Self.program("homeport")] + arguments),
            environment: self.environment(environment), input: .none, output: .sequence,
            error: .discarded
        ) { execution in
            var program = RunningProgram(
                execution.standardOutput, processID: execution.processIdentifier.value)
            do {
                try await body(&program)
            } catch {
                program.kill()
                throw error
            }
            while try await program.line() != nil {}
        }
        guard case .exited(let code) = result.terminationStatus else { return nil }
        return code
    }
}
