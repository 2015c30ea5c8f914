/// A folder of a test in which the built `homeport` runs, away from the user's own ledger, brokers
/// and variables.
package final class Workplace: Sendable {
    /// The folder.
    package let folder: TemporaryFolder

    /// Where the program keeps its ledger.
    package var ledger: String { "\(folder.path)/state/homeport/ledger.sqlite" }

    package init() throws(TestSupportError) { folder = try TemporaryFolder() }

    /// How a run of the program ended, and what it said.
    package struct Run: Sendable {
        /// Its exit status; the number of the signal that killed it, negative.
        package let status: Int32
        package let output: String
        package let errors: String

        /// The lines of stdout.
        package var lines: [String] { output.split(separator: "\n").map(String.init) }
        /// The lines of stderr.
        package var remarks: [String] { errors.split(separator: "\n").map(String.init) }
    }

    /// Runs `homeport` to its end.
    package func homeport(
        _ arguments: String..., environment: [String: String] = [:]
    ) async throws -> Run {
        try await homeport(arguments, environment: environment)
    }

    /// Runs `homeport` with a list of arguments to its end.
    package func homeport(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Run {
        try await run(try ChildProcess.path(of: "homeport"), arguments, environment)
    }

    /// Runs a script to its end; `$homeport` is the program, `"$@"` the arguments.
    package func shell(
        _ script: String, arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> Run {
        var environment = environment
        environment["homeport"] = try ChildProcess.path(of: "homeport")
        return try await run("/bin/bash", ["-c", script, "bash"] + arguments, environment)
    }

    /// Runs `homeport` beside `body`, which reads its stdout and must bring it to its end.
    /// - Returns: the exit status; the number of the signal that killed it, negative.
    package func running(
        _ arguments: String..., environment: [String: String] = [:],
        _ body: (ChildProcess) async throws -> Void
    ) async throws -> Int32 {
        try await running(arguments, environment: environment, body)
    }

    /// Runs `homeport` with a list of arguments beside `body`.
    /// - Parameter input: the file that is its stdin; `nil` for one without an end.
    package func running(
        _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
        _ body: (ChildProcess) async throws -> Void
    ) async throws -> Int32 {
        let homeport = try ChildProcess.path(of: "homeport")
        let shell = ["-c", "exec \"${@:2}\" < \"$1\"", "bash"]
        return try await ChildProcess.run(
            input == nil ? homeport : "/bin/bash",
            input.map { shell + [$0, homeport] + arguments } ?? arguments,
            environment: variables(environment), reading: .output, body
        ).status
    }

    /// As ``running(_:environment:_:)``, but `body` reads what the program says on stderr.
    package func runningForRemarks(
        _ arguments: String..., environment: [String: String] = [:],
        _ body: (ChildProcess) async throws -> Void
    ) async throws -> Int32 {
        try await runningForRemarks(arguments, environment: environment, body)
    }

    /// As ``runningForRemarks(_:environment:_:)``, with a list of arguments.
    package func runningForRemarks(
        _ arguments: [String], environment: [String: String] = [:],
        _ body: (ChildProcess) async throws -> Void
    ) async throws -> Int32 {
        try await ChildProcess.run(
            try ChildProcess.path(of: "homeport"), arguments,
            environment: variables(environment), reading: .errors, body
        ).status
    }

    private func run(
        _ program: String, _ arguments: [String], _ environment: [String: String]
    ) async throws -> Run {
        let ending = try await ChildProcess.runToEnd(
            program, arguments, environment: variables(environment))
        return Run(status: ending.status, output: ending.output, errors: ending.errors)
    }

    private func variables(_ additions: [String: String]) -> [String: String] {
        let own = [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
            "XDG_STATE_HOME": "\(folder.path)/state", "TZ": "UTC",
        ]
        return own.merging(Sanitizer.options) { own, _ in own }
            .merging(additions) { _, addition in addition }
    }
}
