import Glibc
import MQTTClient
import TestSupport
import Testing

/// The simulator with the boxed device is killed in each state of `homeport provision`, alone or with that, and
/// started again with its journal: there is one device, with one certificate, in one home.
@Suite(.timeLimit(.minutes(2))) struct DeviceKillTests {
    private static let count = 5

    @Test(arguments: [false, true])
    func aDeviceThatIsKilledComesIntoTheHomeOnce(withTheController isBoth: Bool) async throws {
        let (workplace, journal) = (try Workplace(), try TemporaryFolder())
        try await BoxedHouse.storePassword(in: workplace)
        try await withBroker { broker in
            let options =
                BoxedHouse.options(Self.count)
                + ["--broker", broker.url, "--journal", journal.path]
            try await MQTTPeer.with(broker.url, id: "owners") { peer in
                for index in 0..<Self.count {
                    let line = try await kill(
                        index, workplace, options, broker.url, withTheController: isBoth)
                    let robots = (0...index).map { "home-1/robo-\($0 + 1)" }
                    #expect(try await devices(index, peer) == robots + ["home-1/sweeper-1"])
                    print("\(line), 1 home")
                }
            }
        }
    }

    /// Kills the simulator when the program has said that it is in a state, and starts both again.
    /// - Returns: a line of the matrix.
    private func kill(
        _ index: Int, _ workplace: Workplace, _ options: [String], _ broker: String,
        withTheController isBoth: Bool
    ) async throws -> String {
        var line = ""
        let dead = try await SimulatorProcess.run(options, meetingIn: workplace.folder) { fleet in
            // The devices before this one are in the home.
            let labels = try await BoxedHouse.labels(Self.count - index, from: fleet)
            let house = BoxedHouse(workplace: workplace, labels: labels, broker: broker)
            var last: String?
            var words = house.words(0)
            words.replace(["robo-1"], with: ["robo-\(index + 1)"])
            let first = try await workplace.running(words) { program in
                for _ in 0...index { last = try await program.line() }
                fleet.kill()
                if isBoth { program.kill() }
                try await SimulatorProcess.run(options, meetingIn: workplace.folder) { next in
                    try await next.line(beginning: "ready ")
                    // What waits for a session that is gone, or for the broker, is not waited for.
                    if (1...3).contains(index) { program.interrupt() }
                    try await program.readToEnd()
                    let again = try await workplace.homeport(words)
                    #expect(again.status == 0, "\(program.lines) \(again)")
                    let known = try await house.presence(index)
                    #expect(known.count == 1 && known[0].contains("\"online\""), "\(known)")
                    let certificates = try await house.certificates(index)
                    #expect(certificates == 1)
                    line = "\(known.count) device, \(certificates) certificate"
                }
            }
            let state = last?.split(separator: " ").dropFirst(2).joined(separator: " ") ?? ""
            line = "provisioning: device killed in '\(state)', program \(first): \(line)"
        }
        #expect(dead.status == -SIGKILL)
        return line
    }

    /// The homes and names of all devices that the broker remembers.
    private func devices(_ index: Int, _ peer: MQTTPeer) async throws -> [String] {
        let marker = "owners/\(index)"
        try await peer.subscribe("homeport/v1/+/+/presence", marker)
        try await peer.publish(marker, "end")
        var devices: Set<String> = []
        for await message in peer.messages {
            if message.topic.rawValue == marker { break }
            let levels = message.topic.rawValue.split(separator: "/")
            if !message.payload.isEmpty { devices.insert(levels[2...3].joined(separator: "/")) }
        }
        return devices.sorted()
    }
}
