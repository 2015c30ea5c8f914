private import Foundation
package import Glibc
internal import Subprocess

/// A folder of a test in which the built `homeport` runs, away from the user's own ledger, brokers
/// and variables.
package final class Workplace: Sendable {
    /// The folder.
    package let path: String

    package init() throws {
        var template = Array("/tmp/homeport-work-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestSupportError("no temporary folder") }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// How a run of the program ended, and what it said.
    package struct Run: Sendable {
        package let status: Int32?
        package let output: String
        package let errors: String

        /// The lines of stdout.
        package var lines: [String] { output.split(separator: "\n").map(String.init) }
        /// The lines of stderr.
        package var remarks: [String] { errors.split(separator: "\n").map(String.init) }
    }

    /// The environment of a run.
    func environment(_ additions: [String: String] = [:]) -> Environment {
        var values = [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": path,
            "XDG_RUNTIME_DIR": path, "XDG_STATE_HOME": "\(path)/state", "TZ": "UTC",
        ]
        values.merge(additions) { _, addition in addition }
        return .custom(
            Dictionary(
                uniqueKeysWithValues: values.map {
                    (Environment.Key(stringLiteral: $0.key), $0.value)
                }))
    }

    /// Runs `homeport` to its end.
    package func homeport(
        _ arguments: String..., environment: [String: String] = [:]
    ) async throws -> Run {
        try await run(Self.program("homeport"), arguments, environment)
    }

    /// Runs a script to its end; `$homeport` is the program.
    package func shell(_ script: String, environment: [String: String] = [:]) async throws -> Run {
        var environment = environment
        environment["homeport"] = try Self.program("homeport")
        return try await run("/bin/bash", ["-c", script], environment)
    }

    private func run(
        _ program: String, _ arguments: [String], _ environment: [String: String]
    ) async throws -> Run {
        let result = try await Subprocess.run(
            .name("env"), arguments: Arguments([program] + arguments),
            environment: self.environment(environment), input: .none,
            output: .string(limit: 8 << 20), error: .string(limit: 1 << 20))
        var status: Int32?
        if case .exited(let code) = result.terminationStatus { status = code }
        return Run(
            status: status, output: result.standardOutput,
            errors: result.standardError)
    }

    /// Writes a text file into the folder.
    package func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws -> String {
        let file = "\(path)/\(name)"
        let descriptor = open(file, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw TestSupportError("cannot write \(file)") }
        defer { close(descriptor) }
        fchmod(descriptor, mode)
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw TestSupportError("cannot write \(file)")
        }
        return file
    }

    /// Programs lie beside the tests.
    package static func program(_ name: String) throws -> String {
        guard let resolved = realpath("/proc/self/exe", nil) else {
            throw TestSupportError("cannot read /proc/self/exe")
        }
        defer { free(resolved) }
        let tests = String(cString: resolved)
        guard let slash = tests.lastIndex(of: "/") else {
            throw TestSupportError("cannot tell where \(tests) lies")
        }
        return tests[...slash] + name
    }
}
