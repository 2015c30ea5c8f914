import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Glibc
import PostgresPersistence

/// What commands cost in a ledger in PostgreSQL: how many are durable in a second.
///
///     ledger-bench URL CONNECTIONS CALLERS SECONDS
///
/// Each connection is an instance of its own with a home of its own, for which so many callers accept one command after
/// the other. Prints lines `name value` on standard output.
@main
enum LedgerBench {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        let numbers = words.dropFirst().compactMap { Int($0) }
        guard words.count == 4, numbers.count == 3 else {
            say("usage: see the head of LedgerBench.swift")
            exit(64)
        }
        do {
            let run = try await Run(
                at: words[0], connections: numbers[0], callers: numbers[1], seconds: numbers[2])
            try await run.report()
        } catch {
            say("ledger-bench: \(error)")
            exit(2)
        }
    }
}

/// Instances that accept commands for a while.
struct Run {
    private let instances: [Instance]
    private let callers: Int
    private let seconds: Int

    init(at url: String, connections: Int, callers: Int, seconds: Int) async throws {
        var instances: [Instance] = []
        for number in 0..<connections { instances.append(try await Instance(number, at: url)) }
        self.instances = instances
        self.callers = callers
        self.seconds = seconds
    }

    func report() async throws {
        let clock = ContinuousClock()
        let begun = clock.now
        let end = begun + .seconds(seconds)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for instance in instances {
                for _ in 0..<callers {
                    group.addTask { try await instance.accept(until: end, clock) }
                }
            }
            return try await group.reduce(0, +)
        }
        let time = clock.now - begun
        let elapsed = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        print("accepts", count)
        print("rate", Double(count) / elapsed)
        for instance in instances { try await instance.ownership.release() }
    }
}

/// A process with one connection and one home.
struct Instance: Sendable {
    let ownership: HomeOwnership
    private let ledger: PostgresCommandLedger
    private let home: HomeID
    private let controller: ControllerID
    private let device: DeviceID
    private let channel: ChannelID

    init(_ number: Int, at url: String) async throws {
        home = try HomeID("home-\(number)")
        controller = try ControllerID("bench")
        device = try DeviceID("robot-1")
        channel = try ChannelID("mqtt")
        let database = try PostgresDatabase.open(PostgresAddress(url), writers: 1)
        ownership = HomeOwnership(database, named: "bench-\(number)", lease: .seconds(3_600))
        ledger = PostgresCommandLedger(database, of: controller, in: home)
        guard case .taken = try await ownership.take(home, of: controller) else {
            throw LedgerError(
                .fenced, "home-\(number) belongs to another process; wait for its lease")
        }
    }

    /// - Returns: how many commands were accepted.
    func accept(until end: ContinuousClock.Instant, _ clock: ContinuousClock) async throws -> Int {
        var count = 0
        while clock.now < end {
            let now = MachineClock.wallTime
            let intent = CommandIntent(
                id: CommandID(at: now), controller: controller, home: home,
                device: device, name: CommandName(rawValue: "locate"), arguments: [:],
                sort: .instant, offline: .failFast, issuedAt: now,
                expiresAt: now.advanced(by: .seconds(30)))
            let progress = CommandProgress(
                step: 1, state: .sending, timings: CommandTimings(createdAt: now))
            let channel = channel
            _ = try await ledger.accept([
                CommandDraft(intent: intent, opening: progress) { intent, sequence in
                    PreparedCommand(
                        intent: intent, channel: channel, sequence: sequence,
                        payload: Array("{\"n\":\(sequence)}".utf8))
                }
            ])
            count += 1
        }
        return count
    }
}

/// One line on standard error.
func say(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { bytes in _ = write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
}
