import TestSupport
import Testing

/// `homeport context`, and calls in a context.
@Suite(.timeLimit(.minutes(1))) struct ContextTests {
    private let workplace: Workplace
    private let config: String

    init() throws {
        workplace = try Workplace()
        config = try workplace.folder.file(
            "homeport.yaml",
            """
            contexts:
              villa: {home: villa, database: villa.sqlite, broker: "mqtt://127.0.0.1:1"}
              cabin: {home: cabin}

            """)
    }

    @Test func contextsAreListedAndChosen() async throws {
        let list = try await workplace.homeport("context", "list", "--config", config)
        #expect(list.status == 0 && list.lines.count == 3, "\(list)")
        #expect(!list.output.contains("yes"))
        let use = try await workplace.homeport("context", "use", "villa", "--config", config)
        #expect(use.status == 0 && use.output == "calls that name no context mean villa now\n")
        let json = try await workplace.homeport("context", "list", "--json", "--config", config)
        #expect(
            json.lines == [
                "{\"name\":\"villa\",\"inUse\":true,\"home\":\"villa\",\"broker\":\"mqtt://127.0.0.1:1\","
                    + "\"controller\":null,\"database\":\"\(workplace.folder.path)/villa.sqlite\"}",
                "{\"name\":\"cabin\",\"inUse\":false,\"home\":\"cabin\",\"broker\":null,"
                    + "\"controller\":null,\"database\":null}",
            ])
        let unknown = try await workplace.homeport("context", "use", "vila", "--config", config)
        #expect(unknown.status == 65 && unknown.errors.contains("no context vila"), "\(unknown)")
        let none = try await workplace.homeport("context", "list")
        #expect(none.status == 65 && none.errors.contains("no configuration file"), "\(none)")
    }

    @Test func aCallWorksInTheContextThatItMeans() async throws {
        func history(_ words: String..., environment: [String: String] = [:]) async throws -> String
        {
            let run = try await workplace.homeport(
                ["room", "list", "--config", config] + words, environment: environment)
            return run.errors
        }
        #expect(try await history().contains("home-1 has no rooms"))
        #expect(try await history("--context", "villa").contains("villa has no rooms"))
        #expect(workplace.folder.has("villa.sqlite"))
        _ = try await workplace.homeport("context", "use", "cabin", "--config", config)
        #expect(try await history().contains("cabin has no rooms"))
        let other = ["HOMEPORT_HOME": "other"]
        #expect(try await history(environment: other).contains("other has no rooms"))
        #expect(try await history("--home", "mine").contains("mine has no rooms"))
        let named = try await history("--context", "villa", environment: other)
        #expect(named.contains("villa has no rooms"))
        #expect(try await history("--context", "none").contains("has no context none"))
        let broker = try await workplace.homeport(
            "devices", "--context", "villa", "--config", config, "--connect-timeout", "100ms")
        #expect(broker.status == 5 && broker.errors.contains("mqtt://127.0.0.1:1"), "\(broker)")
    }

    @Test func aServerThatWasStartedInAContextServesItsCalls() async throws {
        _ = try await workplace.homeport("context", "use", "villa", "--config", config)
        let status = try await workplace.runningForRemarks("serve", "--config", config) { server in
            try await server.line(beginning: "ready")
            let here = try await workplace.homeport("logs", "--config", config)
            #expect(
                here.status == 0 && here.output.contains("serving villa on mqtt://127.0.0.1:1:"))
            let named = try await workplace.homeport(
                "logs", "--config", config, "--context", "villa")
            #expect(named.status == 0, "\(named)")
            let other = try await workplace.homeport(
                "logs", "--config", config, "--context", "cabin")
            #expect(other.status == 1, "\(other)")
            server.interrupt()
        }
        #expect(status == 0)
    }

    @Test func theDoctorNamesAContextThatIsNotThere() async throws {
        let run = try await workplace.homeport(
            "doctor", "--context", "none", "--config", config, "--broker", "mqtt://127.0.0.1:1",
            "--connect-timeout", "100ms")
        #expect(run.status == 1 && run.output.contains("has no context none"), "\(run)")
    }
}
