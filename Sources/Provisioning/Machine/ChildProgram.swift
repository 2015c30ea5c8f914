internal import Subprocess

/// A program of the system that does one thing and ends.
enum ChildProgram {
    /// The most text that is kept of either output, in bytes.
    private static let largestOutput = 64 << 10

    /// How a program ended.
    struct Report {
        /// Whether its exit status is 0.
        let isSuccess: Bool
        /// Its standard output.
        let output: String
        /// Its standard error.
        let error: String
    }

    /// Runs a program to its end, without input; cancelling the task ends it.
    /// - Returns: `nil` if the system does not have it.
    static func run(_ name: String, _ arguments: [String]) async throws -> Report? {
        do {
            let result = try await Subprocess.run(
                .name(name), arguments: Arguments(arguments), input: .none,
                output: .string(limit: largestOutput), error: .string(limit: largestOutput))
            return Report(
                isSuccess: result.terminationStatus.isSuccess, output: result.standardOutput,
                error: result.standardError)
        } catch let error as SubprocessError where error.code == .executableNotFound {
            return nil
        }
    }
}
