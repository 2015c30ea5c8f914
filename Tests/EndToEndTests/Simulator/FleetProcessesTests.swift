import DeviceDomain
import DeviceMessages
import DeviceTopics
import Glibc
import TestSupport
import Testing

/// A fleet of several processes is one fleet.
@Suite(.timeLimit(.minutes(2))) struct FleetProcessesTests {
    private static let options = [
        "--homes", "4", "--sweepers", "1", "--stores", "1", "--processes", "2",
    ]

    @Test func allProcessesAreReadyAsOneAndEndWithAnInterrupt() async throws {
        try await withBroker { broker in
            var workers: [Int32] = []
            let ending = try await SimulatorProcess.run(
                Self.options + ["--broker", broker.url]
            ) { simulator in
                try await simulator.line(beginning: "ready 8 devices")
                workers = Self.workers(of: simulator.processID)
                #expect(workers.count == 1)
            }
            #expect(ending.status == 0 && ending.lines == ["ready 8 devices"], "\(ending.lines)")
            #expect(workers.allSatisfy { !Self.isAlive($0) })
            try await Listener.with(broker.url) { listener in
                var offline: Set<String> = []
                while offline.count < 8 {
                    let presence = try await listener.hear { message -> String? in
                        guard case .presence(let presence) = message.content,
                            presence.report.status == .offline
                        else { return nil }
                        return message.topic.text
                    }
                    offline.insert(presence)
                }
            }
        }
    }

    /// Devices of all processes connect to the private broker, each as a user of its own.
    @Test func aPrivateBrokerServesAllProcesses() async throws {
        let ending = try await SimulatorProcess.run(Self.options) { simulator in
            try await simulator.line(beginning: "ready 8 devices")
        }
        #expect(ending.status == 0, "\(ending.lines)")
    }

    @Test func theDeathOfTheFirstProcessEndsTheOthers() async throws {
        try await withBroker { broker in
            var workers: [Int32] = []
            _ = try await SimulatorProcess.run(
                Self.options + ["--broker", broker.url, "--processes", "4"]
            ) { simulator in
                try await simulator.line(beginning: "ready 8 devices")
                workers = Self.workers(of: simulator.processID)
                simulator.kill()
                // The workers write to the same pipe: it ends with the last of them.
                try await simulator.readToEnd()
            }
            #expect(workers.count == 3)
            while workers.contains(where: Self.isAlive) { await Task.yield() }
        }
    }

    @Test func theDeathOfAWorkerEndsTheRunWithAClearLine() async throws {
        try await withBroker { broker in
            let ending = try await SimulatorProcess.run(
                Self.options + ["--broker", broker.url]
            ) { simulator in
                try await simulator.line(beginning: "ready 8 devices")
                let worker = try #require(Self.workers(of: simulator.processID).first)
                kill(worker, SIGKILL)
                try await simulator.readToEnd()
            }
            #expect(ending.status == 2)
            let last = ending.lines.last ?? ""
            #expect(last.contains("process 2 of 2 ("), "\(last)")
            #expect(last.contains("of the fleet was ended by signal 9"), "\(last)")
        }
    }

    @Test func aBrokerThatIsNotThereIsStatusFive() async throws {
        let port = try freePort()
        let ending = try await SimulatorProcess.runToEnd(
            Self.options + ["--broker", "mqtt://127.0.0.1:\(port)"])
        #expect(ending.status == 5, "\(ending.lines)")
        #expect(ending.lines.last?.contains("cannot reach mqtt://127.0.0.1:\(port)") == true)
    }

    @Test func aBrokerThatIsAwayIsToldOnce() async throws {
        try await withBroker { broker in
            let ending = try await SimulatorProcess.run(
                Self.options + ["--broker", broker.url]
            ) { simulator in
                try await simulator.line(beginning: "ready 8 devices")
                await broker.kill()
                try await simulator.line(beginning: "lost the broker: ")
                try await broker.start()
                try await simulator.line(beginning: "all 8 devices are connected again")
            }
            #expect(ending.status == 0 && ending.lines.count == 3, "\(ending.lines)")
        }
    }

    @Test func statusFaultsAndMetricsAreOfAllProcesses() async throws {
        let (workplace, port) = (try Workplace(), try freePort())
        try await withBroker { broker in
            let options =
                Self.options + ["--broker", broker.url, "--metrics", "127.0.0.1:\(port)"]
            try await SimulatorProcess.run(options, meetingIn: workplace.folder) { simulator in
                try await simulator.line(beginning: "ready 8 devices")
                let status = try await FaultHouse.sim(["status"], in: workplace)
                let listed = status.lines.map { $0.prefix { $0 != " " } }
                let expected = (1...4).flatMap { ["home-\($0)/sweeper-1", "home-\($0)/store-1"] }
                #expect(listed.map(String.init) == expected, "\(status)")

                let hit = try await FaultHouse.sim(["inject", "sweepers", "stuck"], in: workplace)
                #expect(hit.lines.count == 4 && hit.status == 0, "\(hit)")
                let one = try await FaultHouse.sim(
                    ["inject", "home-2/store-1", "mute"], in: workplace)
                #expect(one.lines.count == 1 && one.output.contains("mute"), "\(one)")
                let half = try await FaultHouse.sim(
                    ["inject", "all", "slow", "--share", "0.5"], in: workplace)
                #expect(half.lines.count == 4 && half.status == 0, "\(half)")
                let more = try await FaultHouse.sim(
                    ["inject", "all", "slow", "--share", "0.75"], in: workplace)
                let names = { (run: Workplace.Run) in
                    Set(run.lines.map { $0.prefix { $0 != " " } })
                }
                #expect(names(more).count == 6, "\(more)")
                #expect(names(more).isSuperset(of: names(half)), "\(half) \(more)")
                let free = try await FaultHouse.sim(
                    ["inject", "all", "clear", "--set", "fault=slow"], in: workplace)
                #expect(free.lines.count == 8, "\(free)")
                let none = try await FaultHouse.sim(["inject", "all", "stuck"], in: workplace)
                #expect(none.status == 64 && none.errors.contains("store-1 and 3 more"), "\(none)")

                let page = try await HTTPProbe.get("/metrics", port: port).body
                let lines = Set(page.split(separator: "\n").map(String.init))
                #expect(lines.contains("homeport_ready_devices 8"), "\(page)")
                #expect(lines.contains("homeport_faults_active{fault=\"stuck\"} 4"), "\(page)")
                #expect(lines.contains("homeport_faults_active{fault=\"mute\"} 1"), "\(page)")
                #expect(lines.contains("homeport_speed_ratio 1.0"), "\(page)")
            }
        }
    }

    @Test func theReportSaysWhatHappenedInAllProcesses() async throws {
        let (workplace, folder) = (try Workplace(), try TemporaryFolder())
        try await withBroker { broker in
            let options =
                Self.options + ["--broker", broker.url, "--report", "\(folder.path)/report.json"]
            try await SimulatorProcess.run(options, meetingIn: workplace.folder) { simulator in
                try await simulator.line(beginning: "ready 8 devices")
                for home in ["home-1", "home-2"] {
                    _ = try await FaultHouse.sim(
                        ["inject", "\(home)/sweeper-1", "stuck"], in: workplace)
                }
                try await Listener.with(broker.url) { listener in
                    for home in ["home-1", "home-2"] {
                        let command = try TestCommand("start-cleaning")
                        try await listener.send(command.payload, to: "sweeper-1", in: home)
                        let ack = try await listener.hearAck(of: command.id, where: \.isFinal)
                        #expect(ack.stage == .rejected)
                    }
                }
            }
        }
        let report = try RunReport("report.json", in: folder).members
        #expect(report["valid"]?.boolean == true)
        #expect(!report.keys.contains("reason") && !report.keys.contains("scenario"))
        #expect(report["assertions"]?.array?.isEmpty == true)
        #expect(report["devices"]?.array?.count == 8)
        let commands = try #require(report["commands"]?.object)
        let counts = ["sent", "rejected", "succeeded", "open"].map { commands[$0]?.integer }
        #expect(counts == [2, 2, 0, 0])
        #expect(commands["latencyMs"]?.object?.count == 6)
        let lateness = try #require(report["latenessMs"]?.object)
        #expect(lateness.keys.sorted() == ["max", "p50", "p99"])
        let faults = (report["faults"]?.array ?? []).compactMap(\.object)
        #expect(faults.compactMap { $0["home"]?.string } == ["home-1", "home-2"])
        #expect(faults.compactMap { $0["fault"]?.string } == ["stuck", "stuck"])
        #expect(faults.allSatisfy { $0["until"]?.isNull == true })
    }

    // MARK: Processes

    /// The processes that a fleet has started for parts of it.
    private static func workers(of process: Int32) -> [Int32] {
        numbers.filter { number in
            parent(of: number) == process && words(of: number).contains("--worker")
        }
    }

    /// Whether a process runs; one that has ended and was not collected does not.
    private static func isAlive(_ process: Int32) -> Bool {
        guard let state = fields(of: process).first else { return false }
        return state != "Z" && state != "X"
    }

    private static var numbers: [Int32] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var numbers: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if let number = Int32(name) { numbers.append(number) }
        }
        return numbers
    }

    private static func parent(of process: Int32) -> Int32? {
        fields(of: process).dropFirst().first.flatMap { Int32($0) }
    }

    /// What `/proc/N/stat` says behind the name: state, parent, ….
    private static func fields(of process: Int32) -> [Substring] {
        let text = file("/proc/\(process)/stat")
        guard let end = text.lastIndex(of: ")") else { return [] }
        return text[text.index(after: end)...].split(separator: " ")
    }

    private static func words(of process: Int32) -> [Substring] {
        file("/proc/\(process)/cmdline").split(separator: "\0")
    }

    private static func file(_ path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
