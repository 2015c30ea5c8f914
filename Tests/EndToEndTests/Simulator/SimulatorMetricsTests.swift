import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SimulatorMetricsTests {
    @Test func countsDevicesAndMessages() async throws {
        let port = try freePort()
        let options = ["--sweepers", "2", "--stores", "1", "--metrics", "127.0.0.1:\(port)"]
        try await SimulatorProcess.run(options) { simulator in
            try await simulator.line(beginning: "ready 3 devices")
            let answer = try await HTTPProbe.get("/metrics", port: port)
            #expect(answer.status == 200)
            let lines = Set(answer.body.split(separator: "\n").map(String.init))
            #expect(lines.contains("homeport_connected_devices 3"))
            #expect(lines.contains("homeport_ready_devices 3"))
            #expect(lines.contains("homeport_messages_sent_total{topic=\"description\"} 3"))
            #expect(
                lines.contains(
                    "homeport_devices{kind=\"sweeping-robot\",activity=\"docked\"} 2"))
            #expect(try await HTTPProbe.get("/other", port: port).status == 404)
        }
    }

    @Test func readinessFollowsTheBroker() async throws {
        let port = try freePort()
        try await withBroker { broker in
            let options = [
                "--broker", broker.url, "--sweepers", "2", "--metrics", "127.0.0.1:\(port)",
            ]
            try await SimulatorProcess.run(options) { simulator in
                try await simulator.line(beginning: "ready")
                #expect(try await HTTPProbe.get("/ready", port: port).status == 200)
                await broker.kill()
                try await simulator.line(beginning: "lost the broker")
                let answer = try await HTTPProbe.get("/ready", port: port)
                #expect(answer.status == 503)
                #expect(answer.body == "0 of 2 devices ready\n")
                try await broker.start()
            }
        }
    }

    @Test func anAddressThatIsTakenEndsTheRun() async throws {
        let taken = try LoopbackListener()
        defer { taken.close() }
        let ending = try await SimulatorProcess.runToEnd(
            ["--sweepers", "1", "--metrics", "127.0.0.1:\(taken.port)"])
        #expect(ending.status == 2)
        #expect(
            ending.lines.last
                == "homeport-sim: metrics: cannot listen on 127.0.0.1:\(taken.port): Address "
                + "already in use; choose another --metrics HOST:PORT")
    }
}
