import TestSupport
import Testing

/// A fleet and a controller with several addresses of a cluster, whose nodes die.
@Suite(.timeLimit(.minutes(2))) struct ClusterTests {
    @Test(arguments: FleetBench.versions)
    func commandsGoOnOverTheNodeThatIsLeft(version: String) async throws {
        let workplace = try Workplace()
        try await withBridgedBrokers { one, other in
            let connection = ["--broker", "\(one.url),\(other.url)", "--mqtt-version", version]
            let fleet = ["--sweepers", "4", "--reconnect", "fixed:500ms"] + connection
            try await SimulatorProcess.run(fleet) { fleet in
                try await fleet.line(beginning: "ready 4 devices")
                // Devices and controllers draw their node: whichever they have, they hear each other.
                for sweeper in 1...4 {
                    let run = try await workplace.homeport(
                        ["send", "sweeper-\(sweeper)", "identify"] + connection)
                    #expect(run.status == 0, "\(run)")
                }
                await one.kill()
                let all = try await workplace.homeport(
                    ["send", "--all", "identify", "--expires", "1m"] + connection)
                #expect(all.status == 0 && all.lines.count == 4, "\(all)")
            }
        }
        let history = try await workplace.homeport("history", "--json")
        #expect(history.lines.count == 8)
        #expect(history.lines.allSatisfy { $0.contains("\"state\":\"succeeded\"") }, "\(history)")
    }

    @Test func whatWasSentOverOneAddressBelongsToTheOthers() async throws {
        let workplace = try Workplace()
        let away = "mqtt://127.0.0.1:\(try freePort())"
        try await withBroker { broker in
            try await SimulatorProcess.run(["--broker", broker.url, "--sweepers", "1"]) { fleet in
                try await fleet.line(beginning: "ready")
                let known = try await workplace.homeport("devices", "--broker", broker.url)
                #expect(known.status == 0)
            }
            let waiting = try await workplace.homeport(
                "send", "sweeper-1", "set-suction-level", "level=max", "--wait-timeout", "100ms",
                "--broker", broker.url)
            #expect(waiting.status == 3, "\(waiting)")
            let queue = try await workplace.homeport(
                "queue", "--broker", "\(away),\(broker.url)", "--json")
            #expect(queue.lines.count == 1 && !queue.errors.contains("--moved"), "\(queue)")
            let elsewhere = try await workplace.homeport("queue", "--broker", away, "--json")
            #expect(elsewhere.errors.contains("--moved"), "\(elsewhere)")
        }
    }

    @Test func aSecondBrokerIsRefused() async throws {
        let run = try await Workplace().homeport(
            "devices", "--broker", "mqtt://127.0.0.1:1", "--broker", "mqtt://127.0.0.1:2")
        #expect(run.status == 64 && run.errors.contains("--broker is given 2 times"), "\(run)")
    }
}
