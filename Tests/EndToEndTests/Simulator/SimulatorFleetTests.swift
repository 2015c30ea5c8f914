import DeviceDomain
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct SimulatorFleetTests {
    @Test func fourHundredDevicesBecomeReady() async throws {
        let options = ["--sweepers", "200", "--pools", "100", "--stores", "100"]
        let ending = try await SimulatorProcess.run(options) { simulator in
            try await simulator.line(beginning: "ready 400 devices")
        }
        #expect(ending.status == 0)
    }

    @Test func allDevicesAreBackAfterTheBrokerWas() async throws {
        try await withBroker { broker in
            let ending = try await SimulatorProcess.run(
                ["--broker", broker.url, "--sweepers", "50"]
            ) { simulator in
                try await simulator.line(beginning: "ready 50 devices")
                await broker.kill()
                try await simulator.line(beginning: "lost the broker: ")
                try await broker.start()
                try await simulator.line(beginning: "all 50 devices are connected again")
                // The broker kept nothing: what is there now was announced anew.
                try await Listener.with(broker.url) { listener in
                    try await listener.hearPresence(of: "sweeper-50", .online)
                }
            }
            #expect(ending.status == 0)
        }
    }

    @Test func twoDevicesWithOneIdAreReportedByBothSides() async throws {
        try await withBroker { broker in
            let options = ["--broker", broker.url, "--sweepers", "1"]
            try await SimulatorProcess.run(options) { first in
                try await first.line(beginning: "ready")
                try await SimulatorProcess.run(options) { second in
                    try await first.line(beginning: "home-1/sweeper-1: another client")
                    try await second.line(beginning: "home-1/sweeper-1: another client")
                }
            }
        }
    }

    @Test func aSilentPortIsStatusFive() async throws {
        let port = try freePort()
        let ending = try await SimulatorProcess.runToEnd(
            ["--broker", "mqtt://127.0.0.1:\(port)", "--sweepers", "1"])
        #expect(ending.status == 5)
        #expect(
            ending.lines.last?.contains("cannot reach mqtt://127.0.0.1:\(port)") == true)
    }

    @Test(arguments: [
        ("retain_available false", "\"retain_available true\""), ("max_qos 0", "\"max_qos 2\""),
    ])
    func aBrokerThatExcludesDevicesIsToldWhatToSet(line: String, remedy: String) async throws {
        try await withBroker(line) { broker in
            let ending = try await SimulatorProcess.runToEnd([
                "--broker", broker.url, "--sweepers", "1",
            ])
            #expect(ending.status == 5)
            #expect(ending.lines.last?.contains(remedy) == true, "\(ending.lines)")
            #expect(!ending.lines.joined().contains("cannot reach"))
        }
    }

    @Test func neverConnectedWithinTheDurationIsStatusFive() async throws {
        let port = try freePort()
        let ending = try await SimulatorProcess.runToEnd(
            ["--broker", "mqtt://127.0.0.1:\(port)", "--sweepers", "1", "--duration", "1s"])
        #expect(ending.status == 5)
    }

    @Test func refusedCredentialsAreStatusFive() async throws {
        try await withBroker("allow_anonymous false") { broker in
            let ending = try await SimulatorProcess.runToEnd(
                ["--broker", broker.url, "--sweepers", "3"])
            #expect(ending.status == 5)
        }
    }
}
