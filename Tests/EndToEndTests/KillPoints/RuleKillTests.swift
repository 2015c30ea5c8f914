import DeviceDomain
import Glibc
import MQTTClient
import TestSupport
import Testing

/// A server that runs rules is killed in the middle of a run, and another one goes on.
@Suite(.timeLimit(.minutes(2))) struct RuleKillTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    /// Behind the entry of the run into the ledger, and behind that of its command.
    @Test(arguments: ["R0", "R1"])
    func aRunTakesPlaceOnceAlthoughItsServerIsKilled(point: String) async throws {
        try await withBroker { broker in
            let options = ["--broker", broker.url]
            try await SimulatorProcess.run(options + ["--sweepers", "1"]) { simulator in
                try await simulator.line(beginning: "ready")
                try await MQTTPeer.with(broker.url, id: "trace") { peer in
                    let trace = try await CommandTrace(peer)
                    _ = try await workplace.homeport(["devices"] + options)
                    let added = try await workplace.homeport(
                        [
                            "rule", "add", "found", "--when", "batteryPercent>1", "--device",
                            "sweeper-1", "--do", "locate",
                        ] + options)
                    #expect(added.status == 0, "\(added)")
                    try await killServer(at: point, options)
                    let resolved = try await workplace.homeport(["resolve"] + options)
                    #expect(resolved.status == 0, "\(resolved)")
                    try await trace.catchUp()
                    // One that was in the ledger and never left is sent again.
                    let executions = trace.commands(named: .locate).map(trace.executions(of:))
                    #expect(executions.reduce(0, +) == 1, "\(executions)")
                    let history = try await workplace.homeport(["history", "--json"] + options)
                    let ended = history.lines.filter { $0.contains(#""state":"succeeded""#) }
                    #expect(ended.count == 1, "\(history)")
                }
            }
        }
    }

    /// Runs a server until it kills itself, and another one until it has ended the run.
    private func killServer(at point: String, _ options: [String]) async throws {
        let killed = try await workplace.runningForRemarks(
            ["serve"] + options, environment: ["HOMEPORT_KILL_POINT": point]
        ) { server in
            try await server.readToEnd()
        }
        #expect(killed == -SIGKILL)
        let status = try await workplace.runningForRemarks(["serve"] + options) { server in
            try await server.line(
                beginning: "homeport: rule 1, found: Sweeper 1 (sweeper-1) reports")
            kill(server.processID, SIGTERM)
        }
        #expect(status == 0)
    }
}
