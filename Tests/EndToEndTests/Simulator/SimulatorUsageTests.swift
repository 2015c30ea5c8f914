import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SimulatorUsageTests {
    @Test(arguments: [
        ["--speed", "0"], ["--speed", "max"], ["--epoch", "tomorrow"], ["--processes", "0"],
        ["--processes", "65"], ["--shard", "2"], ["--homes", "3", "--shard", "x/y"],
        ["--bogus"], ["one.yaml", "another.yaml"],
        ["--broker", "http://x"], ["--broker", "mqtts://localhost:0"], ["--homes", "0"],
        ["--homes", "2", "--home", "mine"], ["--home", "My Home"], ["--sweepers", "0"],
        ["--sweepers", "x"], ["--pools", "-1"], ["--seed", "-1"], ["--duration", "5"],
        ["--duration", "0s"], ["--telemetry-interval", "1ms"], ["--mqtt-version", "4"],
        ["--metrics", "9464"], ["--metrics", "nowhere:1"],
        ["--reconnect", "fixed"], ["--reconnect", "jitter:2s:1s"], ["--reconnect", "fixed:5"],
        ["--speed", "max", "--duration", "1s", "--reconnect", "fixed:1s"],
    ])
    func wrongOptionsAreStatusSixtyFour(options: [String]) async throws {
        let ending = try await SimulatorProcess.runToEnd(options)
        #expect(ending.status == 64)
        #expect(ending.lines.first?.hasPrefix("homeport-sim: ") == true)
        #expect(ending.lines.count == 1 && ending.lines.first?.contains("ee 'homeport-sim") == true)
    }

    @Test(arguments: [
        ("999.1.1.1:9464", "999.1.1.1 is not an IPv4 address"),
        ("1.2.3:9464", "1.2.3 is not an IPv4 address"),
        ("[::g]:9464", "::g is not an IPv6 address"),
        ("127.0.0.1:70000", "no port from 1 to 65535"),
    ])
    func aMetricsAddressThatIsNoneIsNamedWithTheRemedy(
        address: String, cause: String
    ) async throws {
        let ending = try await SimulatorProcess.runToEnd(["--metrics", address])
        #expect(ending.status == 64)
        let said = ending.lines.joined(separator: " ")
        #expect(said.contains(cause) && said.contains("write HOST:PORT"), "\(said)")
        #expect(!said.contains("Success"))
    }

    @Test(arguments: [
        ("--pools", "-1", "a whole number from 0 to 100000"), ("--homes", "-1", "from 1 to 100000"),
        ("--duration", "-5s", "times are written like 500ms"),
        ("--seed", "-1", "a whole number from 0 to 18446744073709551615"),
        ("--processes", "-1", "a whole number from 1 to"), ("--speed", "-1", "from 0.01 to 1000"),
        ("--shard", "-1/3", "of 3 parts there are 1 to 3, not -1"),
        ("--source", "-1", "a number from 1 to 254"),
    ])
    func aNegativeNumberIsToldWhatToWrite(option: String, value: String, hint: String) async throws
    {
        let ending = try await SimulatorProcess.runToEnd([option, value])
        #expect(ending.status == 64)
        #expect(ending.lines.joined(separator: " ").contains(hint))
    }

    @Test(arguments: [
        ("0/3", "of 3 parts there are 1 to 3, not 0"),
        ("4/3", "of 3 parts there are 1 to 3, not 4"),
        ("x/y", "write I/N in whole numbers, such as 2/3"), ("1/0", "write I/N in whole numbers"),
        ("3/3", "part 3 of 3 is empty: there are 2 homes; use fewer parts"),
    ])
    func aPartThatThereIsNotIsNamedWithTheRemedy(part: String, remedy: String) async throws {
        let ending = try await SimulatorProcess.runToEnd(["--homes", "2", "--shard", part])
        #expect(ending.status == 64)
        let said = ending.lines.joined(separator: " ")
        #expect(said.contains(remedy), "\(said)")
    }

    @Test func anEmptyPathOfAJournalIsWrongUsage() async throws {
        let ending = try await SimulatorProcess.runToEnd(["--journal", ""])
        #expect(ending.status == 64)
        #expect(ending.lines.joined(separator: " ").contains("name a folder: the path is empty"))
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
