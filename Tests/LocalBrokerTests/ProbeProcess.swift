import Glibc
import Subprocess

/// The program `LocalBrokerProbe` as a child of the test.
enum ProbeProcess {
    /// What a running probe tells.
    struct Owner {
        /// The broker's port.
        let port: UInt16
        /// The probe's own process.
        let processID: Int32
    }

    /// Runs a probe that announces its broker under `root`; it ends with the body.
    static func withOwner<R: Sendable>(
        root: String, _ body: (Owner) async throws -> R
    ) async throws -> R {
        try await Subprocess.run(
            .name("env"), arguments: [try path(), root],
            input: .inputWriter, output: .sequence, error: .discarded
        ) { execution in
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            let words = try await lines.next()?.split(separator: " ") ?? []
            guard let port = words.first.flatMap({ UInt16($0) }) else {
                throw TemporaryFolder.Trouble(description: "the probe said \(words)")
            }
            let owner = Owner(port: port, processID: execution.processIdentifier.value)
            return try await body(owner)
        }.closureResult
    }

    /// The probe lies beside the test program.
    private static func path() throws -> String {
        guard let resolved = realpath("/proc/self/exe", nil) else {
            throw TemporaryFolder.Trouble(description: "cannot read /proc/self/exe: \(errno)")
        }
        defer { free(resolved) }
        let program = String(cString: resolved)
        guard let slash = program.lastIndex(of: "/") else {
            throw TemporaryFolder.Trouble(description: "cannot tell where \(program) lies")
        }
        return program[...slash] + "LocalBrokerProbe"
    }
}
