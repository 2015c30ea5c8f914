import TestSupport
import Testing

/// A result that cannot be written is told, and never ends with status 0.
@Suite(.timeLimit(.minutes(1))) struct SimulatorWriteErrorTests {
    @Test(arguments: [
        "models", "models --json", "validate --schema", "validate /dev/null", "--help",
        "models --help", "--version",
    ])
    func aFullDiskUnderStdoutIsToldWithItsCause(call: String) async throws {
        try await expectFailure(of: call, in: try Workplace())
    }

    @Test func soAreTheAnswersOfARunningFleet() async throws {
        try await FaultHouse.with { house in
            for call in ["status", "status --json", "inject all offline", "pause --json"] {
                try await expectFailure(of: call, in: house.workplace)
            }
        }
    }

    private func expectFailure(of call: String, in workplace: Workplace) async throws {
        let program = try ChildProcess.path(of: "homeport-sim")
        let run = try await workplace.shell("exec '\(program)' \(call) > /dev/full")
        #expect(run.status == 70, "\(call): \(run)")
        #expect(run.errors.contains("No space left on device"), "\(call): \(run)")
        #expect(run.errors.split(separator: "\n").count == 1, "\(call): \(run)")
        let closed = try await workplace.shell("exec '\(program)' \(call) >&-")
        #expect(closed.status == 70, "\(call): \(closed)")
        #expect(closed.errors.contains("Bad file descriptor"), "\(call): \(closed)")
    }
}
