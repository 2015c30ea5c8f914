import MQTTClient
import TestSupport
import Testing

/// Certificates are replaced while commands are sent, with the built programs and a real broker.
@Suite(.timeLimit(.minutes(2))) struct RotationTests {
    private let house: IdentityHouse

    init() throws { house = try IdentityHouse() }

    private var ids: String { "\(house.folder)/ids" }
    private var authorities: String { "\(house.folder)/broker/ca.crt" }

    private func homeport(_ words: String...) async throws -> Workplace.Run {
        try await house.workplace.homeport(
            words + [
                "--broker", house.controllers, "--ca-file", authorities, "--cert-file",
                "\(ids)/homeport.crt", "--key-file", "\(ids)/homeport.key",
            ])
    }

    /// Replaces a certificate and takes the old one back, which ends the connections that rest on it.
    /// - Parameter meanwhile: runs while the files are replaced. Nobody connects during the reloading:
    ///   mosquitto 2.0.11 on a loaded machine now and then ends by a segmentation fault then.
    private func rotate(
        _ name: String, _ broker: Int32, meanwhile: () async throws -> Void = {}
    ) async throws {
        let listed = try await house.identity("list", "--json").lines
        let old = try #require(listed.first { $0.contains(name) && $0.contains("\"active\"") })
        let serial = try #require(old.split(separator: "\"").first { $0.utf8.count == 32 })
        async let rotation = house.identity("rotate", name, "--directory", ids)
        try await meanwhile()
        _ = try await rotation
        let run = try await house.workplace.homeport(
            ["identity", "revoke", String(serial)] + house.revoking(broker))
        try #require(run.status == 0, "\(run.errors)")
    }

    @Test func noCommandIsLostWhileCertificatesAreReplaced() async throws {
        try await house.issue(devices: ["sweeper-1"], controllers: ["homeport"])
        try await house.withBroker { broker in
            let options = [
                "--broker", house.devices, "--ca-file", authorities, "--identities", ids,
                "--sweepers", "1",
            ]
            let ending = try await SimulatorProcess.run(options) { simulator in
                try await simulator.line(beginning: "ready 1 devices")
                try await rotateWhileSending(broker)
            }
            #expect(ending.status == 0)
            let history = try await house.workplace.homeport("history", "--json").lines
            #expect(
                try history.map { try HistoryEntry($0).state }
                    == Array(repeating: "succeeded", count: 5))
        }
    }

    /// Sends commands while certificates are replaced, and after the old ones were taken back.
    private func rotateWhileSending(_ broker: Int32) async throws {
        try await rotate("sweeper-1", broker) { try await send("max") }
        try await send("quiet")
        try await rotate("homeport", broker) { try await send("max") }
        try await rotate("sweeper-1", broker) { try await send("quiet") }
        try await send("max")
    }

    private func send(_ level: String) async throws {
        let run = try await homeport("send", "sweeper-1", "set-suction-level", "level=\(level)")
        #expect(run.status == 0, "\(run.errors)")
    }

    /// The files are as a program leaves them that is killed when it has written the first.
    @Test func aRotationThatIsKilledLeavesTheNewIdentity() async throws {
        try await house.issue(devices: ["sweeper-1"], controllers: ["homeport"])
        let names = ["ids/homeport.crt", "ids/home-1/sweeper-1.crt"]
        let old = try names.map { try house.workplace.folder.text(of: $0) }
        try await house.withBroker { broker in
            for name in ["homeport", "sweeper-1"] { try await rotate(name, broker) }
            for (name, text) in zip(names, old) { try house.workplace.folder.file(name, text) }
            let options = [
                "--broker", house.devices, "--ca-file", authorities, "--identities", ids,
                "--sweepers", "1",
            ]
            try await SimulatorProcess.run(options) { simulator in
                try await simulator.line(beginning: "ready 1 devices")
                try await send("max")
            }
        }
    }

    @Test func aLongLivedControllerComesBackWithItsNewCertificate() async throws {
        try await house.issue(devices: ["robot-1"], controllers: ["homeport"])
        try await house.withBroker { broker in
            try await house.controller("homeport") { controller in
                try await rotate("homeport", broker)
                for await _ in controller.losses { break }
                try await controller.reconnected()
                try await controller.subscribe("homeport/v1/home-1/+/state")
            }
        }
    }
}
