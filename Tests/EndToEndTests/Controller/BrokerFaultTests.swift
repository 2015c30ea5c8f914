import Glibc
import TestSupport
import Testing

/// A broker that is killed or frozen while commands are under way, with the built programs.
@Suite(.timeLimit(.minutes(2))) struct BrokerFaultTests {
    /// What a broker keeps of sessions and messages when it is killed.
    enum Memory: CaseIterable {
        case nothing, everything

        /// What its configuration says of it.
        func lines(in folder: String) -> String {
            switch self {
            case .nothing: ""
            case .everything:
                """
                persistence true
                persistence_location \(folder)/
                autosave_on_changes true
                autosave_interval 1
                """
            }
        }
    }

    /// Side by side, because devices come back over five seconds.
    @Test func aKilledBrokerLosesAndDoublesNothing() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for version in FleetBench.versions {
                for memory in Memory.allCases {
                    group.addTask { try await killBroker(version, memory) }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: FleetBench.versions)
    func aFrozenBrokerLosesAndDoublesNothing(version: String) async throws {
        try await FleetBench.with(version) { bench in
            let served = ["serve"] + bench.connection
            let status = try await bench.workplace.runningForRemarks(served) { server in
                try await server.line(beginning: "ready")
                try await bench.expect("send", "sweeper-1", "identify", status: 0)
                bench.broker.freeze()
                try await bench.expectNoAnswer("locate")
                async let sent = bench.homeport(
                    "send", "sweeper-1", "set-suction-level", "level=max")
                while try await bench.history().count < 3 {}
                bench.broker.thaw()
                #expect(try await sent.status == 0)
                try await bench.expect("resolve", status: 0)
                kill(server.processID, SIGTERM)
            }
            #expect(status == 0)
            try await expect(bench, "locate", in: ["expired"], executions: 0)
            try await expect(bench, "set-suction-level", in: ["succeeded"], executions: 1)
        }
    }

    // MARK: Steps

    /// Kills the broker while one command is too late for its device, one is in flight and one waits.
    private func killBroker(_ version: String, _ memory: Memory) async throws {
        let folder = try TemporaryFolder()
        try await FleetBench.with(version, broker: memory.lines(in: folder.path)) { bench in
            try await bench.expect("devices", status: 0)
            bench.freezeDevice()
            try await bench.expectNoAnswer("locate")
            try await Listener.with(
                bench.broker.url, hearing: ["homeport/v1/+/+/command"]
            ) { listener in
                let arguments = ["send", "sweeper-1", "set-suction-level", "level=max"]
                let status = try await bench.workplace.running(arguments + bench.connection) {
                    try await listener.hearCommand()
                    await bench.broker.kill()
                    try await queueWithoutBroker(bench)
                    try await bench.broker.start()
                    bench.thawDevice()
                    try await $0.readToEnd()
                }
                #expect(status == 0, "MQTT \(version), it keeps \(memory)")
            }
            try await bench.expect("resolve", status: 0)
            try await expect(bench, "locate", in: ["expired"], executions: 0)
            try await expect(bench, "set-suction-level", in: ["succeeded"], executions: 1)
            try await expect(bench, "start-cleaning", in: ["accepted", "running"], executions: 1)
        }
        withExtendedLifetime(folder) {}
    }

    /// Without a connection nothing is handed to the client library.
    private func queueWithoutBroker(_ bench: FleetBench) async throws {
        try await bench.expect(
            "send", "sweeper-1", "start-cleaning", "--connect-timeout", "50ms", status: 5)
        let start = try await bench.command("start-cleaning")
        #expect(start.state == "queued" && start.sends == 0)
    }

    private func expect(
        _ bench: FleetBench, _ name: String, in states: Set<String>, executions: Int
    ) async throws {
        let command = try await bench.command(name)
        #expect(states.contains(command.state), "MQTT \(bench.version): \(command)")
        #expect(
            try bench.executions(of: command) == executions, "MQTT \(bench.version): \(command)")
    }
}

extension FleetBench {
    /// Sends a command whose time passes before anybody answers.
    fileprivate func expectNoAnswer(_ name: String) async throws {
        try await expect(
            "send", "sweeper-1", name, "--expires", "1s", "--wait-timeout", "1500ms", status: 3)
        #expect(try await command(name).state == "unknown")
    }
}
