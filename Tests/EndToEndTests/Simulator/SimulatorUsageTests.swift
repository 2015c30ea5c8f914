import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SimulatorUsageTests {
    @Test(arguments: [
        ["--speed", "2"], ["--processes", "2"], ["--report", "x"], ["--bogus"], ["scenario.yaml"],
        ["--broker", "http://x"], ["--broker", "mqtts://localhost:0"], ["--homes", "0"],
        ["--homes", "2", "--home", "mine"], ["--home", "My Home"], ["--sweepers", "0"],
        ["--sweepers", "x"], ["--pools", "-1"], ["--seed", "-1"], ["--duration", "5"],
        ["--duration", "0s"], ["--telemetry-interval", "1ms"], ["--mqtt-version", "4"],
        ["--metrics", "9464"], ["--metrics", "nowhere:1"],
    ])
    func wrongOptionsAreStatusSixtyFour(options: [String]) async throws {
        let ending = try await SimulatorProcess.runToEnd(options)
        #expect(ending.status == 64)
        #expect(ending.lines.first?.hasPrefix("Error: ") == true)
    }

    @Test func aPasswordInTheURLIsRefusedAndNotRepeated() async throws {
        let ending = try await SimulatorProcess.runToEnd(["--broker", "mqtt://me:secret@host"])
        #expect(ending.status == 64)
        #expect(ending.lines.first?.contains("credentials file") == true)
        #expect(!ending.lines.joined().contains("secret"))
    }

    @Test func tooManyDevicesAreRefusedBeforeAnythingStarts() async throws {
        let ending = try await SimulatorProcess.runToEnd(
            ["--sweepers", "500"], through: "ulimit -n 256;")
        #expect(ending.status == 2)
        #expect(ending.lines.count == 1)
        #expect(ending.lines.first?.contains("500 devices need 564 open files") == true)
    }

    @Test func aJournalThatCannotBeIsStatusTwo() async throws {
        let ending = try await SimulatorProcess.runToEnd(
            ["--sweepers", "1", "--journal", "/proc/none/here"])
        #expect(ending.status == 2)
        #expect(ending.lines.count == 1)
    }
}
