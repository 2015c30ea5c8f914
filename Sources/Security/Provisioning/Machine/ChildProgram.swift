internal import Keychain
internal import Subprocess

/// A program of the system that does one thing and ends.
enum ChildProgram {
    /// The most text that is kept of either output, in bytes.
    private static let largestOutput = 64 << 10

    /// How a program ended.
    struct Report {
        /// Its exit status; after a signal the number of the signal, negative.
        let status: Int32
        /// Its standard output.
        let output: String
        /// Its standard error.
        let error: String
    }

    /// Runs a program to its end; cancelling the task ends it.
    /// - Parameters:
    ///   - variables: those of its environment that are not as in this process.
    ///   - input: a line for its standard input, such as a password; `nil` for none.
    /// - Returns: `nil` if the system does not have it.
    static func run(
        _ name: String, _ arguments: [String], variables: [String: String] = [:],
        input: Secret? = nil
    ) async throws -> Report? {
        do {
            var line = input?.withUnsafeBytes { Array($0) + [UInt8(ascii: "\n")] } ?? []
            defer { for index in line.indices { line[index] = 0 } }
            let changes = variables.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
            let result = try await Subprocess.run(
                .name(name), arguments: Arguments(arguments),
                environment: .inherit.updating(Dictionary(uniqueKeysWithValues: changes)),
                input: .array(line), output: .string(limit: largestOutput),
                error: .string(limit: largestOutput))
            return Report(
                status: result.terminationStatus.number, output: result.standardOutput,
                error: result.standardError)
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return nil
        }
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
