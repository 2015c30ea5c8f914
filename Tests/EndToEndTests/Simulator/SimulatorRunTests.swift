import DeviceDomain
import DeviceMessages
import DeviceTopics
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SimulatorRunTests {
    @Test(arguments: ["5", "3.1.1"])
    func allDevicesOfAllHomesHaveTheirRetainedTopics(version: String) async throws {
        try await withBroker { broker in
            let options = [
                "--broker", broker.url, "--homes", "3", "--sweepers", "2", "--mqtt-version",
                version,
            ]
            try await SimulatorProcess.run(options) { simulator in
                try await simulator.line(beginning: "ready 6 devices")
                var missing = Set(
                    (1...3).flatMap { home in
                        (1...2).flatMap { device in
                            ["description", "presence", "state"].map {
                                "homeport/v1/home-\(home)/sweeper-\(device)/\($0)"
                            }
                        }
                    })
                try await Listener.with(broker.url) { listener in
                    while !missing.isEmpty {
                        missing.remove(try await listener.hear { $0.topic.text })
                    }
                }
            }
        }
    }

    @Test func anInterruptTakesAllDevicesOfflineCleanly() async throws {
        try await withBroker { broker in
            try await Listener.with(broker.url) { listener in
                let ending = try await SimulatorProcess.run(
                    ["--broker", broker.url, "--sweepers", "3"]
                ) { simulator in
                    try await simulator.line(beginning: "ready 3 devices")
                }
                #expect(ending.status == 0)
                var offline: Set<String> = []
                while offline.count < 3 {
                    let presence = try await listener.hearPresence(.offline)
                    offline.insert(presence.device.text)
                }
            }
        }
    }

    @Test func endsAfterItsDuration() async throws {
        let ending = try await SimulatorProcess.runToEnd(["--sweepers", "1", "--duration", "500ms"])
        #expect(ending.status == 0)
    }

    /// The broker takes two of the devices, and closes the connections of the others.
    @Test func aBrokerAtItsLimitOfConnectionsIsTold() async throws {
        try await withBroker("max_connections 2") { broker in
            let ending = try await SimulatorProcess.run(
                ["--broker", broker.url, "--sweepers", "4"]
            ) { simulator in
                let line = try await simulator.line(beginning: "2 of 4 devices are connected")
                #expect(line.contains("max_connections"), "\(line)")
            }
            #expect(ending.status == 0)
        }
    }

    @Test func aBrokerThatNeverAnswersIsStatusFiveAlsoInAShortRun() async throws {
        let folder = try TemporaryFolder()
        try await withFakeBroker { broker in
            let ending = try await SimulatorProcess.runToEnd([
                "--broker", broker.url, "--pools", "1", "--duration", "500ms", "--report",
                "\(folder.path)/rep.json",
            ])
            #expect(ending.status == 5)
            let said = ending.lines.joined(separator: " ")
            #expect(said.contains("cannot reach \(broker.url): no answer before"), "\(said)")
            let report = try folder.text(of: "rep.json")
            #expect(!report.contains("\"valid\":true"), "\(report)")
        } broker: { broker in
            _ = try broker.accept().readToEnd()
        }
    }

    @Test func theWillSpeaksWhenTheProcessIsKilled() async throws {
        try await withBroker { broker in
            try await Listener.with(broker.url) { listener in
                let ending = try await SimulatorProcess.run(
                    ["--broker", broker.url, "--sweepers", "1"]
                ) { simulator in
                    try await simulator.line(beginning: "ready")
                    simulator.kill()
                    try await simulator.readToEnd()
                }
                #expect(ending.status == -SIGKILL)
                let online = try await listener.hearPresence(of: "sweeper-1", .online)
                let offline = try await listener.hearPresence(of: "sweeper-1", .offline)
                #expect(offline.report.boot == online.report.boot)
            }
        }
    }

    @Test func aSecondInterruptEndsAtOnce() async throws {
        try await withBroker { broker in
            let ending = try await SimulatorProcess.run(
                ["--broker", broker.url, "--sweepers", "1"]
            ) { simulator in
                try await simulator.line(beginning: "ready")
                // Nothing answers the goodbyes any more.
                broker.freeze()
                simulator.interrupt()
                try await simulator.line(beginning: "still shutting down")
                simulator.interrupt()
                try await simulator.readToEnd()
            }
            broker.thaw()
            #expect(ending.status == -SIGINT)
        }
    }
}
