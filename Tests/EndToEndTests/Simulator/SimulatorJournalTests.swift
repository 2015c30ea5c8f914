import DeviceDomain
import DeviceMessages
import DeviceTopics
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SimulatorJournalTests {
    @Test(arguments: ["5", "3.1.1"])
    func duplicatesAreKnownAfterAKillAndARestart(version: String) async throws {
        let folder = try TemporaryFolder()
        let command = try TestCommand("set-suction-level", ["level": "max"])
        try await withBroker { broker in
            let options = [
                "--broker", broker.url, "--sweepers", "1", "--journal", folder.path,
                "--mqtt-version", version,
            ]
            try await Listener.with(broker.url) { listener in
                var first: AckMessage?
                try await SimulatorProcess.run(options) { simulator in
                    try await simulator.line(beginning: "ready")
                    try await listener.send(command.payload, to: "sweeper-1")
                    first = try await listener.hearAck(of: command.id, where: \.isFinal)
                    simulator.kill()
                    try await simulator.readToEnd()
                }
                try await SimulatorProcess.run(options) { simulator in
                    try await simulator.line(beginning: "ready")
                    try await listener.send(command.payload, to: "sweeper-1")
                    let replay = try await listener.hearAck(of: command.id, where: \.isReplay)
                    #expect(replay.n == first?.n)
                    #expect(replay.at == first?.at)
                    #expect(replay.boot == first?.boot)
                    #expect(replay.executions == 1)
                    let online = try await Listener.with(broker.url) { latecomer in
                        try await latecomer.hearPresence(of: "sweeper-1", .online)
                    }
                    #expect(online.report.boot.text.hasPrefix("b2-"))
                }
            }
        }
    }

    /// A SIGKILL, seen from the telemetry: counters and positions go on from what was published. With two processes
    /// the first one is killed, which ends the other.
    @Test(arguments: [1, 2])
    func theWorldGoesOnFromWhatWasPublishedBeforeAKill(processes: Int) async throws {
        let folder = try TemporaryFolder()
        let homes = (1...processes).map { "home-\($0)" }
        try await withBroker { broker in
            let options = [
                "--broker", broker.url, "--sweepers", "1", "--stores", "2", "--journal",
                folder.path, "--telemetry-interval", "100ms", "--homes", "\(processes)",
                "--processes", "\(processes)",
            ]
            try await Listener.with(broker.url) { listener in
                var (start, before) = ([String: JSONObject](), [String: JSONObject]())
                try await SimulatorProcess.run(options) { simulator in
                    try await simulator.line(beginning: "ready \(3 * processes) devices")
                    start = try await listener.hearSamples { $0.count == 3 * processes }
                    for home in homes {
                        let drive = try TestCommand("start-cleaning")
                        try await listener.send(drive.payload, to: "sweeper-1", in: home)
                        let discharge = try TestCommand("discharge", ["powerW": 2400])
                        try await listener.send(discharge.payload, to: "store-1", in: home)
                    }
                    let first = start
                    before = try await listener.hearSamples {
                        hasDischarged(homes, $0, since: first)
                    }
                    simulator.kill()
                    try await simulator.readToEnd()
                    // What came between the last sample that was looked at and the kill.
                    let last = try await listener.hearSamplesToOffline(of: 3 * processes)
                    for (device, values) in last { before[device] = values }
                }
                try await SimulatorProcess.run(options) { simulator in
                    try await simulator.line(beginning: "ready")
                    let after = try await listener.hearSamples { $0.count == 3 * processes }
                    for home in homes { expectGoingOn(home, start, before, after) }
                }
            }
        }
    }

    /// Whether the first store of each home has given 2 Wh.
    private func hasDischarged(
        _ homes: [String], _ samples: [String: JSONObject], since start: [String: JSONObject]
    ) -> Bool {
        homes.allSatisfy { home in
            let counter = start["\(home)/store-1"]?["dischargedKWh"]?.number ?? .infinity
            let present = samples["\(home)/store-1"]?["dischargedKWh"]?.number ?? 0
            return present >= counter + 0.002
        }
    }

    private func expectGoingOn(
        _ home: String, _ start: [String: JSONObject], _ before: [String: JSONObject],
        _ after: [String: JSONObject]
    ) {
        let robot = "\(home)/sweeper-1"
        for member in ["x", "y", "batteryPercent"] {
            #expect(after[robot]?[member] == before[robot]?[member], "\(home)")
        }
        let places = [start, after].map { [$0[robot]?["x"], $0[robot]?["y"]] }
        #expect(places[0] != places[1], "it has left its dock")
        for store in ["\(home)/store-1", "\(home)/store-2"] {
            for member in ["chargedKWh", "dischargedKWh"] {
                let (old, new) = (before[store]?[member], after[store]?[member])
                #expect(new?.number ?? -1 >= old?.number ?? 0, "\(store) \(member)")
            }
        }
    }

    /// A world does not go back: it goes on where the journal has left it.
    @Test func theWorldClockGoesOnAtTheLastInstantOfTheJournal() async throws {
        let folder = try TemporaryFolder()
        try await withBroker { broker in
            let options = [
                "--broker", broker.url, "--sweepers", "1", "--journal", folder.path, "--epoch",
            ]
            let reports = ["\(folder.path)/one.json", "\(folder.path)/two.json"]
            var epochs: [Int] = []
            for (epoch, report) in zip(["2035-01-01T10:00:00Z", "2035-01-01T09:00:00Z"], reports) {
                let ending = try await SimulatorProcess.runToEnd(
                    options + [epoch, "--duration", "2s", "--speed", "60", "--report", report])
                #expect(ending.status == 0, "\(ending.lines)")
                let json = try JSONReader.read(
                    try folder.contents(of: String(report.dropFirst(folder.path.count + 1))))
                epochs.append(try #require(json.object?["epoch"]?.integer))
            }
            // It ended after exactly two minutes of the world.
            #expect(epochs[0] == 2_051_258_400_000)
            #expect(epochs[1] == epochs[0] + 120_000)
        }
    }

    @Test func aSecondProcessOnOneJournalIsRefused() async throws {
        let folder = try TemporaryFolder()
        try await withBroker { broker in
            let options = [
                "--broker", broker.url, "--sweepers", "1", "--journal", folder.path,
            ]
            try await SimulatorProcess.run(options) { simulator in
                try await simulator.line(beginning: "ready")
                let second = try await SimulatorProcess.runToEnd(options)
                #expect(second.status == 2)
                #expect(second.lines.last?.contains("in use by another homeport-sim") == true)
            }
        }
    }

    @Test func whatCannotBeRecordedIsNotAcknowledged() async throws {
        let folder = try TemporaryFolder()
        try await withBroker { broker in
            try await Listener.with(broker.url) { listener in
                let options = [
                    "--broker", broker.url, "--sweepers", "1", "--journal", folder.path,
                ]
                // `ulimit -f` counts blocks of 512 bytes. ThreadSanitizer begins with a file larger than
                // that, where it has a place for one.
                let limits = "export TMPDIR=/nowhere; ulimit -f 32;"
                let ending = try await SimulatorProcess.run(options, through: limits) {
                    simulator in
                    try await simulator.line(beginning: "ready")
                    let first = try TestCommand("identify")
                    try await listener.send(first.payload, to: "sweeper-1")
                    // The acks that the end of the run overtakes are lost; this one is not.
                    _ = try await listener.hearAck(of: first.id, where: \.isFinal)
                    for number in 2...60 {
                        let command = try TestCommand("identify", sequence: number)
                        try await listener.send(command.payload, to: "sweeper-1")
                    }
                    try await simulator.readToEnd()
                    return first.id.text
                }
                #expect(ending.status == 2)
                #expect(ending.lines.last?.contains("File too large") == true)
                let journal = try folder.text(of: "devices-01.journal")
                let acknowledged = try await idsAcknowledgedUntilTheWill(listener)
                #expect(acknowledged.count < 59)
                for id in acknowledged.union([ending.value]) { #expect(journal.contains(id)) }
            }
        }
    }

    private func idsAcknowledgedUntilTheWill(_ listener: Listener) async throws -> Set<String> {
        var ids: Set<String> = []
        while true {
            let id = try await listener.hear { message -> String? in
                switch message.content {
                case .ack(let ack, _): ack.id.text
                case .presence(let presence) where presence.report.status == .offline: ""
                default: nil
                }
            }
            guard !id.isEmpty else { return ids }
            ids.insert(id)
        }
    }

    @Test func aPrivateJournalGoesWithACleanEnd() async throws {
        let folder = try TemporaryFolder()
        let ending = try await SimulatorProcess.run(
            ["--sweepers", "1"], through: "export TMPDIR=\(folder.path);"
        ) { simulator in
            try await simulator.line(beginning: "ready")
            #expect(!folder.names.isEmpty)
        }
        #expect(ending.status == 0)
        #expect(folder.names.isEmpty)
    }
}

extension Listener {
    /// The newest sample of each device, heard until they are `enough`.
    fileprivate func hearSamples(
        until enough: ([String: JSONObject]) -> Bool
    ) async throws -> [String: JSONObject] {
        var samples: [String: JSONObject] = [:]
        return try await hear { message in
            guard case .telemetry(let sample) = message.content else { return nil }
            samples[message.place] = sample.values
            return enough(samples) ? samples : nil
        }
    }

    /// The newest samples that were heard before so many devices were offline.
    fileprivate func hearSamplesToOffline(of devices: Int) async throws -> [String: JSONObject] {
        var samples: [String: JSONObject] = [:]
        var offline: Set<String> = []
        return try await hear { message in
            switch message.content {
            case .telemetry(let sample): samples[message.place] = sample.values
            case .presence(let presence) where presence.report.status == .offline:
                offline.insert(message.place)
            default: break
            }
            return offline.count == devices ? samples : nil
        }
    }
}

extension ReceivedMessage {
    /// Whose message it is: `HOME/DEVICE`.
    fileprivate var place: String {
        topic.text.split(separator: "/").dropFirst(2).prefix(2).joined(separator: "/")
    }
}
