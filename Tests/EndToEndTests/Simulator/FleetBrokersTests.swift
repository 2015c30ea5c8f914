import DeviceDomain
import DeviceTopics
import Glibc
import TestSupport
import Testing

/// Homes on several brokers, and connections from several addresses.
@Suite(.timeLimit(.minutes(2))) struct FleetBrokersTests {
    private static let devices = ["--homes", "4", "--stores", "1"]

    /// The homes of which a broker retains a presence.
    private func homes(on broker: MosquittoBroker, count: Int) async throws -> Set<String> {
        try await Listener.with(broker.url, hearing: ["homeport/v1/+/+/presence"]) { listener in
            var homes: Set<String> = []
            while homes.count < count {
                let home = try await listener.hear { message -> String? in
                    message.topic.text.split(separator: "/").dropFirst(2).first.map(String.init)
                }
                homes.insert(home)
            }
            return homes
        }
    }

    @Test(arguments: ["1", "2"])
    func homesTakeTheBrokersInTurn(processes: String) async throws {
        try await withBroker { one in
            try await withBroker { two in
                let options =
                    Self.devices
                    + ["--broker", one.url, "--broker", two.url, "--processes", processes]
                let workplace = try Workplace()
                let ending = try await SimulatorProcess.run(options, meetingIn: workplace.folder) {
                    simulator in
                    try await simulator.line(beginning: "ready 4 devices")
                    #expect(try await homes(on: one, count: 2) == ["home-1", "home-3"])
                    #expect(try await homes(on: two, count: 2) == ["home-2", "home-4"])
                    let status = try await FaultHouse.sim(["status", "--json"], in: workplace)
                    #expect(status.lines[1].contains(two.url), "\(status)")
                    #expect(status.lines[2].contains(one.url), "\(status)")
                }
                #expect(ending.status == 0, "\(ending.lines)")
            }
        }
    }

    @Test func aShardUsesTheBrokersOfItsHomes() async throws {
        try await withBroker { one in
            try await withBroker { two in
                let options =
                    Self.devices + ["--broker", one.url, "--broker", two.url, "--shard", "2/4"]
                try await SimulatorProcess.run(options) { simulator in
                    try await simulator.line(beginning: "ready 1 devices")
                    #expect(try await homes(on: two, count: 1) == ["home-2"])
                }
            }
        }
    }

    @Test func aBrokerOfSeveralThatIsNotThereIsStatusFive() async throws {
        let port = try freePort()
        try await withBroker { one in
            let ending = try await SimulatorProcess.runToEnd(
                Self.devices + ["--broker", one.url, "--broker", "mqtt://127.0.0.1:\(port)"])
            #expect(ending.status == 5, "\(ending.lines)")
            #expect(
                ending.lines.last?.contains("cannot reach mqtt://127.0.0.1:\(port)") == true,
                "\(ending.lines)")
        }
    }

    @Test(arguments: ["2", "127.0.1.1,127.0.1.2"])
    func connectionsComeFromTheSourcesInTurn(sources: String) async throws {
        try await withBroker { broker in
            let options = Self.devices + ["--broker", broker.url, "--source", sources]
            let ending = try await SimulatorProcess.run(options) { simulator in
                try await simulator.line(beginning: "ready 4 devices")
                #expect(Self.connections(to: broker.port, from: "0101007F") == 2)
                #expect(Self.connections(to: broker.port, from: "0201007F") == 2)
                #expect(Self.connections(to: broker.port, from: "0100007F") == 0)
            }
            #expect(ending.status == 0, "\(ending.lines)")
        }
    }

    @Test(arguments: [
        ("0", "from 1 to 254"), ("255", "from 1 to 254"), ("here", "here is no numeric address"),
        ("127.0.1.1,", "nothing is no numeric"),
        ("192.0.2.7", "this machine has no address 192.0.2.7"),
        ("127.0.1.1,127.0.1.1", "named twice"),
    ])
    func sourcesThatCannotBeAreNamed(sources: String, words: String) async throws {
        let ending = try await SimulatorProcess.runToEnd(["--source", sources])
        #expect(ending.status == 64)
        #expect(ending.lines.joined(separator: " ").contains(words), "\(ending.lines)")
    }

    /// Established connections of this machine (proc(5), /proc/net/tcp), by addresses in hexadecimal digits.
    private static func connections(to port: UInt16, from source: String) -> Int {
        guard let file = fopen("/proc/net/tcp", "re") else { return -1 }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        let digits = String(port, radix: 16, uppercase: true)
        let remote = "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
        return text.split(separator: "\n").count { line in
            let fields = line.split(separator: " ")
            return fields.count > 3 && fields[1].hasPrefix("\(source):") && fields[2] == remote
                && fields[3] == "01"
        }
    }
}
