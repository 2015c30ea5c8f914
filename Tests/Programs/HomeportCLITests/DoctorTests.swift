import Foundation
import TestSupport
import Testing

/// `homeport doctor` and set-ups that are broken.
@Suite(.timeLimit(.minutes(1))) struct DoctorTests {
    private struct Found: Decodable {
        let check: String
        let status: String
        let message: String
        let remedy: String
    }

    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func found(in run: Workplace.Run) throws -> [Found] {
        let found = try run.lines.map {
            try JSONDecoder().decode(Found.self, from: Data($0.utf8))
        }
        for finding in found {
            #expect(["ok", "warning", "problem"].contains(finding.status))
            #expect(!finding.message.isEmpty)
            #expect((finding.status == "ok") == finding.remedy.isEmpty)
        }
        let hasProblem = found.contains { $0.status == "problem" }
        #expect(run.status == (hasProblem ? 1 : 0), "\(run.errors)")
        #expect(run.errors.isEmpty)
        return found
    }

    private func problems(_ run: Workplace.Run) throws -> Set<String> {
        Set(try found(in: run).filter { $0.status == "problem" }.map(\.check))
    }

    @Test func whereNothingIsWrongTheStatusIsZero() async throws {
        try await withBroker { broker in
            let run = try await workplace.homeport("doctor", "--json", "--broker", broker.url)
            let found = try found(in: run)
            #expect(run.status == 0)
            #expect(found.contains { $0.check == "broker" && $0.status == "ok" })
            #expect(!workplace.folder.has("state"), "doctor makes no ledger")
            let table = try await workplace.homeport("doctor", "--broker", broker.url)
            #expect(table.lines.first?.hasPrefix("STATUS") == true)
            #expect(table.lines.last?.contains("0 problems") == true)
        }
    }

    @Test func aBrokerThatIsAwayIsAProblemAndTheLedgerIsCheckedAllTheSame() async throws {
        let ledger = try workplace.folder.file("ledger.sqlite", "nonsense", mode: 0o644)
        let run = try await workplace.homeport(
            "doctor", "--json", "--broker", "mqtt://127.0.0.1:\(try freePort())", "--database",
            ledger)
        #expect(try problems(run) == ["broker", "ledger-file", "ledger"])
        #expect(try workplace.folder.text(of: "ledger.sqlite") == "nonsense")
    }

    @Test func aURLThatIsNoBrokersIsAProblem() async throws {
        for url in ["nonsense", "mqtt://ann:secret@127.0.0.1"] {
            let run = try await workplace.homeport("doctor", "--json", "--broker", url)
            #expect(try problems(run) == ["broker"])
            #expect(!run.output.contains("secret"))
        }
    }

    @Test func credentialsThatOthersCanReadAreAProblem() async throws {
        let open = try workplace.folder.file(
            "open", "username=ann\npassword=hidden-word\n", mode: 0o644)
        for file in [open, "/nonexistent", "keychain:none"] {
            let run = try await workplace.homeport(
                "doctor", "--json", "--broker", "mqtt://127.0.0.1:1", "--credentials-file", file)
            #expect(try problems(run) == ["credentials"])
            #expect(!run.output.contains("hidden-word"))
        }
    }

    @Test func tlsFilesThatCannotBeUsedAreAProblem() async throws {
        for options in ["mqtts://localhost:1 --ca-file /none", "mqtt://localhost:1 --ca-file x"] {
            let run = try await workplace.shell(
                "\"$homeport\" doctor --json --broker \(options)")
            #expect(try problems(run) == ["tls-files"])
        }
    }

    @Test func aBrokenConfigurationFileIsAProblem() async throws {
        let file = try workplace.folder.file("homeport.yaml", "channels: [{id: a, knd: b}]\n")
        let run = try await workplace.homeport("doctor", "--json", "--config", file)
        #expect(try problems(run) == ["configuration-file"])
        let message = try found(in: run).first { $0.status == "problem" }?.message
        #expect(message?.contains("homeport.yaml:1:") == true)
        let missing = try await workplace.homeport("doctor", "--json", "--config", "/nonexistent")
        #expect(try problems(missing) == ["configuration-file"])
    }

    @Test func everyChannelOfTheConfigurationFileIsChecked() async throws {
        try await withBroker { broker in
            let file = try workplace.folder.file(
                "homeport.yaml",
                """
                channels:
                  - {id: near, kind: homeport-mqtt, broker: "\(broker.url)"}
                  - {id: far, kind: zigbee2mqtt, broker: "mqtt://127.0.0.1:\(try freePort())"}
                """)
            let run = try await workplace.homeport("doctor", "--json", "--config", file)
            let brokers = try found(in: run).filter { $0.check == "broker" }.map(\.status)
            #expect(brokers == ["ok", "problem"])
        }
    }

    @Test func aChannelThatIsWrongDoesNotHideTheOthers() async throws {
        let open = try workplace.folder.file("open", "username=ann\n", mode: 0o644)
        try await withBroker { broker in
            let file = try workplace.folder.file(
                "homeport.yaml",
                """
                channels:
                  - {id: a, kind: homeport-mqtt, broker: "mqtt://127.0.0.1:1", credentials: "\(open)"}
                  - {id: b, kind: homeport-mqtt, broker: "\(broker.url)"}
                  - {id: c, kind: homeport-mqtt, broker: "nonsense"}
                rules:
                  - {kind: light, channel: a}
                """)
            let run = try await workplace.homeport("doctor", "--json", "--config", file)
            #expect(try problems(run) == ["configuration-file"])
            let found = try found(in: run)
            let places = found.filter { $0.check == "configuration-file" }.map(\.message)
            try #require(places.count == 2)
            #expect(places[0].contains("homeport.yaml:2:") && places[0].contains("chmod 600"))
            #expect(places[1].contains("homeport.yaml:4:"))
            #expect(found.contains { $0.check == "broker" && $0.status == "ok" })
            // No other verb goes on without the channels that are wrong.
            let devices = try await workplace.homeport("devices", "--config", file)
            #expect(devices.status == 65)
        }
    }

    @Test func aMeetingPointThatIsOpenToOthersIsAProblem() async throws {
        _ = try workplace.folder.folder("homeport", mode: 0o755)
        _ = try workplace.folder.folder("homeport/brokers", mode: 0o755)
        let run = try await workplace.homeport("doctor", "--json")
        #expect(try problems(run).contains("meeting-point"))
    }

    @Test func aHomeOfTheEnvironmentThatIsNotValidIsAProblem() async throws {
        let run = try await workplace.homeport(
            "doctor", "--json", "--broker", "nonsense", environment: ["HOMEPORT_HOME": "Villa"])
        #expect(try problems(run) == ["options", "broker"])
    }
}
