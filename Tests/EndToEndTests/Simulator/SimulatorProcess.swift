import Glibc
import TestSupport

/// The program `homeport-sim` as a child of the test, which reads its standard error.
enum SimulatorProcess {
    /// Runs `homeport-sim run` with options beside `body`, and interrupts it afterwards.
    @discardableResult
    static func run<R: Sendable>(
        _ options: [String], through shell: String = "", environment: [String: String] = [:],
        meetingIn folder: TemporaryFolder? = nil, body: (ChildProcess) async throws -> R
    ) async throws -> ChildProcess.Ending<R> {
        let command = "\(shell) exec \"$0\" run \"$@\""
        let program = try ChildProcess.path(of: "homeport-sim")
        // A meeting point of the tests' own: no controller shall find their brokers.
        let meetings = try folder ?? TemporaryFolder()
        let variables = ["XDG_RUNTIME_DIR=\(meetings.path)"] + environment.map { "\($0)=\($1)" }
        let ending = try await ChildProcess.run(
            "env", variables + ["sh", "-c", command, program] + options, reading: .errors
        ) { simulator in
            let value = try await body(simulator)
            simulator.interrupt()
            return value
        }
        return withExtendedLifetime(meetings) { ending }
    }

    /// Runs `homeport-sim run` with options until it ends by itself.
    static func runToEnd(
        _ options: [String], through shell: String = "", meetingIn folder: TemporaryFolder? = nil
    ) async throws -> ChildProcess.Ending<Void> {
        try await run(options, through: shell, meetingIn: folder) { try await $0.readToEnd() }
    }
}
