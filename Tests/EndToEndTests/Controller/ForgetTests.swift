import MQTTClient
import TestSupport
import Testing

/// `homeport forget` with the built programs and a real broker.
@Suite(.timeLimit(.minutes(2))) struct ForgetTests {
    private let workplace: Workplace
    private let journal: TemporaryFolder

    init() throws {
        workplace = try Workplace()
        journal = try TemporaryFolder()
    }

    private func runFleet(
        _ broker: MosquittoBroker, _ body: () async throws -> Void
    ) async throws {
        try await SimulatorProcess.run([
            "--broker", broker.url, "--pools", "1", "--sweepers", "1", "--journal", journal.path,
        ]) { simulator in
            try await simulator.line(beginning: "ready")
            try await body()
        }
    }

    private func homeport(
        _ broker: MosquittoBroker, _ words: String...
    ) async throws -> Workplace.Run {
        try await workplace.homeport(words + ["--broker", broker.url])
    }

    @Test(arguments: ["5", "3.1.1"])
    func aDeviceThatIsAwayIsForgottenForGood(version: String) async throws {
        try await withBroker { broker in
            try await runFleet(broker) {
                let refused = try await homeport(broker, "forget", "pool-1")
                #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
                #expect(refused.errors.contains("pool-1 is online"))
                #expect(refused.errors.contains("switch it off"))
            }
            let forgotten = try await homeport(
                broker, "forget", "pool-1", "--json", "--mqtt-version", version)
            #expect(forgotten.status == 0, "\(forgotten)")
            #expect(
                forgotten.lines == [
                    #"{"device":"pool-1","home":"home-1","comesBack":null,"takenBack":[],"putAway":[]}"#
                ])
            let listed = try await homeport(broker, "devices", "--json")
            #expect(listed.lines.count == 1 && listed.output.contains("sweeper-1"), "\(listed)")
            let again = try await homeport(broker, "forget", "pool-1")
            #expect(again.status == 65, "\(again)")
            try await runFleet(broker) {
                let back = try await homeport(broker, "devices", "--json")
                #expect(back.lines.count == 2, "\(back)")
            }
        }
    }

    @Test func whatTheUserMayNotClearIsSaid() async throws {
        let access = try journal.file(
            "acl",
            """
            topic readwrite homeport/v1/home-1/fence
            topic readwrite homeport/v1/home-1/hello
            topic read homeport/v1/home-1/+/+
            user keeper
            topic readwrite #

            """)
        try await withBroker("acl_file \(access)") { broker in
            try await MQTTPeer.with(
                broker.url, id: "device", credentials: MQTTCredentials(username: "keeper")
            ) { device in
                _ = try await device.publish(
                    "homeport/v1/home-1/sweeper-1/presence",
                    #"{"v":1,"device":"sweeper-1","status":"offline","boot":"b1","at":1}"#,
                    retain: true)
            }
            let run = try await homeport(broker, "forget", "sweeper-1")
            #expect(run.status == 1 && run.output == "forgot sweeper-1\n", "\(run)")
            #expect(run.errors.contains("sweeper-1 will be listed again: the broker keeps 1"))
            #expect(run.errors.contains("homeport/v1/home-1/sweeper-1/presence"))
        }
    }
}
