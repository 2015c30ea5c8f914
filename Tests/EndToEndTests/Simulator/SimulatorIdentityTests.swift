import TestSupport
import Testing

/// What `homeport-sim` presents to a real mosquitto that asks for certificate, user and password, and to one that
/// `homeport identity export` has set up: right, and wrong in every way that a user can get it wrong.
@Suite(.timeLimit(.minutes(2)))
struct SimulatorIdentityTests {
    private let workplace: Workplace
    private var folder: String { workplace.folder.path }

    init() throws { workplace = try Workplace() }

    /// Runs `body` beside a broker that asks for a certificate of the authority, a user and a password.
    private func withBroker(
        _ body: (TestCertificates, [String: String]) async throws -> Void
    ) async throws {
        let certificates = try await TestCertificates.made()
        let made = try await workplace.shell(
            """
            cd "$HOME" && mosquitto_passwd -b -c passwords ann secret && printf 'username=ann\\npassword=secret\\n' > credentials &&
            printf 'username=ann\\npassword=guess\\n' > wrong-credentials &&
            chmod 600 credentials wrong-credentials
            """)
        try #require(made.status == 0, "\(made.errors)")
        try await withTLSBroker(
            certificates, "require_certificate true", "allow_anonymous false",
            "password_file \(folder)/passwords"
        ) { broker in
            try await body(
                certificates,
                [
                    "--broker": "mqtts://localhost:\(broker.port)",
                    "--ca-file": certificates.authority, "--cert-file": certificates["client"],
                    "--key-file": certificates.key, "--credentials-file": "\(folder)/credentials",
                    "--sweepers": "3",
                ])
        }
    }

    private func words(_ options: [String: String]) -> [String] {
        options.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
    }

    @Test func aFleetWithOneCertificateAndOnePasswordConnects() async throws {
        try await withBroker { _, options in
            let ending = try await SimulatorProcess.run(words(options)) { simulator in
                try await simulator.line(beginning: "ready 3 devices")
            }
            #expect(ending.status == 0)
        }
    }

    @Test func whatCannotBePresentedIsNamedWithARemedy() async throws {
        try await withBroker { certificates, options in
            let other = certificates.file("other.key")
            let cases: [(change: [String: String], status: Int32, words: [String])] = [
                (["--ca-file": "/none.pem"], 64, ["CA file /none.pem", "check the path"]),
                (["--cert-file": "/none.pem"], 64, ["certificate file /none.pem", "check the"]),
                (["--key-file": "/none.key"], 64, ["key file /none.key", "check the path"]),
                (
                    ["--credentials-file": "/none"], 64,
                    ["credentials file /none", "check the path"]
                ),
                (["--key-file": other], 64, ["is not the key of", "client.pem"]),
                (
                    ["--key-file": certificates.file("new-stranger.key")], 64,
                    ["is not the key of", "client.pem"]
                ),
                (
                    ["--key-file": certificates.file("open.key")], 64,
                    ["open to every user", "chmod o-rwx"]
                ),
                // The broker's certificate is of another authority, then the client's.
                (["--ca-file": certificates["other-ca"]], 5, ["TLS", "name the CA"]),
                (["--cert-file": certificates["other-client"]], 5, ["TLS", "certificate"]),
                (
                    ["--credentials-file": "\(folder)/wrong-credentials"], 5,
                    ["refuses", "check the credentials"]
                ),
            ]
            for (change, status, words) in cases {
                let arguments = self.words(options.merging(change) { _, new in new })
                let ending = try await SimulatorProcess.runToEnd(arguments)
                let said = ending.lines.joined(separator: "\n")
                #expect(ending.status == status, "\(change): \(said)")
                for word in words { #expect(said.contains(word), "\(change): \(said)") }
                #expect(!said.contains("guess") && !said.contains("secret"))
            }
        }
    }

    @Test func aFleetPresentsWhatAFolderHoldsOfEachDevice() async throws {
        let house = try IdentityHouse()
        try await house.issue(devices: ["sweeper-1", "sweeper-2"], controllers: [])
        try await house.withBroker { _ in
            let options = [
                "--broker", house.devices, "--ca-file", "\(house.folder)/broker/ca.crt",
                "--identities", "\(house.folder)/ids", "--sweepers", "2",
            ]
            let ending = try await SimulatorProcess.run(options) { simulator in
                try await simulator.line(beginning: "ready 2 devices")
            }
            #expect(ending.status == 0)
            for (change, words) in [
                ("cp sweeper-2.key sweeper-1.key", ["sweeper-1.key is not the key of"]),
                ("rm sweeper-1.key", ["sweeper-1.key", "identity issue sweeper-1"]),
                ("mv sweeper-1.crt gone", ["sweeper-1.crt", "identity issue sweeper-1"]),
                ("rm -r ../home-1", ["identity issue sweeper-1"]),
            ] {
                let changed = try await house.workplace.shell(
                    "cd \(house.folder)/ids/home-1 && \(change)")
                try #require(changed.status == 0, "\(changed.errors)")
                let ending = try await SimulatorProcess.runToEnd(options)
                let said = ending.lines.joined(separator: "\n")
                #expect(ending.status == 64, "\(change): \(said)")
                for word in words { #expect(said.contains(word), "\(change): \(said)") }
            }
        }
    }
}
