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
