import DeviceDomain
import DeviceMessages
import Glibc
import TestSupport
import Testing

/// A broker, a sweeper that keeps a journal, and the built `homeport` with a ledger of its own, all on
/// one version of MQTT.
struct FleetBench: Sendable {
    static let versions = ["5", "3.1.1"]

    let workplace: Workplace
    let broker: MosquittoBroker
    let version: String
    private let journal: TemporaryFolder
    private let fleet: Int32

    /// Runs `body` beside them, and verifies the log of the ledger afterwards.
    /// - Parameters:
    ///   - lines: what the broker's configuration has besides the usual.
    ///   - clock: the wall clock of the sweeper; `nil` for the machine's.
    static func with(
        _ version: String, broker lines: String = "", deviceClock clock: WrongClock? = nil,
        _ body: (FleetBench) async throws -> Void
    ) async throws {
        let workplace = try Workplace()
        let journal = try TemporaryFolder()
        try await withBroker(lines) { broker in
            let options = [
                "--broker", broker.url, "--sweepers", "1", "--journal", journal.path,
                "--mqtt-version", version,
            ]
            try await SimulatorProcess.run(options, environment: clock?.environment ?? [:]) {
                fleet in
                try await fleet.line(beginning: "ready")
                try await body(
                    FleetBench(
                        workplace: workplace, broker: broker, version: version, journal: journal,
                        fleet: fleet.processID))
            }
        }
        let audit = try await workplace.homeport("audit", "verify")
        #expect(audit.status == 0, "\(audit)")
    }

    /// Runs `homeport` to its end.
    func homeport(_ arguments: String...) async throws -> Workplace.Run {
        try await workplace.homeport(arguments + connection)
    }

    /// Runs `homeport` to its end, and expects a status and a remark.
    func expect(
        _ arguments: String..., status: Int32, remark: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let run = try await workplace.homeport(arguments + connection)
        #expect(
            run.status == status, "MQTT \(version), \(arguments): \(run)",
            sourceLocation: sourceLocation)
        #expect(
            remark.isEmpty || run.errors.contains(remark), "MQTT \(version), \(arguments): \(run)",
            sourceLocation: sourceLocation)
    }

    /// The options that choose the broker and the version.
    var connection: [String] { ["--broker", broker.url, "--mqtt-version", version] }

    // MARK: What is known of commands

    /// The commands of the ledger, newest first.
    func history() async throws -> [HistoryEntry] {
        let run = try await workplace.homeport("history", "--limit", "100", "--json")
        return try run.lines.map(HistoryEntry.init)
    }

    /// The newest command of a name.
    func command(_ name: String) async throws -> HistoryEntry {
        try #require(try await history().first { $0.name == name }, "no \(name)")
    }

    /// How often the device has started a command, by its journal.
    func executions(of command: HistoryEntry) throws -> Int {
        try journal.text(of: "devices-01.journal").split(separator: "\n")
            .filter { $0.contains(#""r":"started""#) && $0.contains(command.id.text) }.count
    }

    // MARK: The device

    /// Stops the device: its connection stays, and nothing is answered.
    func freezeDevice() { kill(fleet, SIGSTOP) }

    /// Lets the device go on.
    func thawDevice() { kill(fleet, SIGCONT) }
}
