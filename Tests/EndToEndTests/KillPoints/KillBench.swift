import DeviceDomain
import DeviceMessages
import Glibc
import TestSupport
import Testing

/// A broker, a robot, a controller's ledger and a trace of everything, and the oracle that compares
/// them after a process was killed.
struct KillBench {
    let workplace: Workplace
    let broker: MosquittoBroker
    let version: String
    let trace: CommandTrace
    /// The commands of the ledger that were judged already.
    private var judged: Set<CommandID> = []
    private var level = "quiet"
    private(set) var matrix: [String] = []

    init(
        _ workplace: Workplace, _ broker: MosquittoBroker, _ version: String, _ trace: CommandTrace
    ) {
        self.workplace = workplace
        self.broker = broker
        self.version = version
        self.trace = trace
    }

    /// The options of every run of `homeport`.
    var connection: [String] { ["--broker", broker.url, "--mqtt-version", version] }

    /// The arguments of a command that changes the robot's state.
    mutating func nextCommand() -> [String] {
        level = level == "max" ? "turbo" : "max"
        return ["send", "sweeper-1", "set-suction-level", "level=\(level)"]
    }

    /// Runs a command that dies at a point, and the process that follows it; then judges.
    /// - Parameter plan: the points that are passed, the last one deadly.
    mutating func kill(_ plan: String, acceptsNothing: Bool = false) async throws {
        try await trace.catchUp()
        let arguments = nextCommand() + connection
        let killed = try await workplace.homeport(
            arguments, environment: ["HOMEPORT_KILL_POINT": plan])
        #expect(killed.status == -SIGKILL, "\(plan): \(killed.errors)")
        try await recover(after: plan, acceptsNothing: acceptsNothing)
    }

    /// Lets a later process take over, and judges what is known then.
    mutating func recover(after plan: String, acceptsNothing: Bool = false) async throws {
        try await trace.catchUp()
        let mark = trace.entries.count
        let later = try await workplace.homeport(["resolve"] + connection)
        #expect(later.status == 0, "\(plan): \(later.errors)")
        try await judge(plan, resends: mark, acceptsNothing: acceptsNothing)
    }

    /// The oracle: the ledger, the acks and states of the device, and the broker's trace agree.
    /// - Parameter mark: from where on in the trace the command must not be published.
    mutating func judge(_ plan: String, resends mark: Int, acceptsNothing: Bool = false)
        async throws
    {
        try await trace.catchUp()
        let fresh = try await history().filter { !judged.contains($0.id) }
        let published = trace.commands(named: .setSuctionLevel, .startCleaning)
            .subtracting(judged)
        #expect(published.isSubset(of: fresh.map(\.id)), "\(plan): sent without a record")
        #expect(fresh.count == (acceptsNothing ? 0 : 1), "\(plan): \(fresh)")
        for command in fresh {
            judge(command, plan, mark)
            judged.insert(command.id)
        }
        let outcome = fresh.first?.state ?? "not accepted"
        matrix.append("\(plan) | MQTT \(version) | \(outcome)")
    }

    private func judge(_ command: Recorded, _ plan: String, _ mark: Int) {
        let effects = trace.effects(of: command.id)
        let executions = trace.executions(of: command.id)
        #expect(effects <= 1 && executions <= 1, "\(plan): executed twice")
        let resends = trace.publishes(of: command.id).filter { $0 >= mark }
        #expect(resends.isEmpty, "\(plan): sent again instead of asked")
        switch command.state {
        case "succeeded": #expect(effects == 1 && executions == 1, "\(plan): no effect")
        // An action that its device could not go on with after its restart.
        case "failed": #expect(effects <= 1 && executions <= 1, "\(plan): executed twice")
        case "refused", "expired", "rejected", "cancelled", "superseded":
            #expect(effects == 0 && executions == 0, "\(plan): \(command.state) with an effect")
        default: Issue.record("\(plan): the command is \(command.state)")
        }
    }

    /// A command as `history` prints it.
    private struct Recorded {
        let id: CommandID
        let state: String
    }

    private func history() async throws -> [Recorded] {
        let run = try await workplace.homeport(["history", "--json", "--limit", "1000"])
        #expect(run.status == 0, "\(run.errors)")
        return try run.lines.map { line in
            let members = try JSONReader.read(Array(line.utf8)).object
            let id = try #require(members?["id"]?.string.flatMap { CommandID($0) })
            return Recorded(id: id, state: try #require(members?["state"]?.string))
        }
    }

    /// The log of the ledger has no gap and no change.
    func verifyAudit() async throws {
        let run = try await workplace.homeport(["audit", "verify"])
        #expect(run.status == 0, "\(run.errors)")
    }
}
