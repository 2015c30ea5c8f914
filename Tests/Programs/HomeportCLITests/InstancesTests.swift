import Glibc
import Homeport
import TestSupport
import Testing

/// `instances` and `serve --homes`.
@Suite(.timeLimit(.minutes(2))) struct InstancesTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    @Test func aLedgerInAFileHasNoInstances() async throws {
        let run = try await workplace.homeport("instances")
        #expect(run.status == 64, "\(run)")
        #expect(run.errors.contains("--database postgresql://"))
        #expect(!workplace.folder.has("state/homeport/ledger.sqlite"))
    }

    @Test func whoWorksWithALedgerIsListed() async throws {
        try await withPostgreSQL { database in
            let variables = ["HOMEPORT_DATABASE": database.url]
            let empty = try await workplace.homeport("instances", environment: variables)
            #expect(empty.status == 0 && empty.output.isEmpty, "\(empty)")
            #expect(empty.errors.contains("homeport serve"))
            try await withBroker { broker in
                let serve = [
                    "serve", "--homes", "home-1,home-2", "--instance", "attic", "--broker",
                    broker.url,
                ]
                let status = try await workplace.runningForRemarks(serve, environment: variables) {
                    server in
                    try await server.line(beginning: "ready")
                    #expect(server.lines.contains("homeport: took 2 homes; driving 2 homes"))
                    let run = try await workplace.homeport(
                        "instances", "--json", environment: variables)
                    #expect(run.lines.count == 1)
                    #expect(
                        run.output.contains(
                            #/{"instance":"attic","alive":true,"homes":2,"expiresAt":\d{13}}/#),
                        "\(run)")
                    let rule = try await workplace.homeport(
                        "rule", "add", "stuck", "--when", "event=stuck", "--do", "notify",
                        environment: variables)
                    #expect(rule.errors.contains("now attic owns it"), "\(rule)")
                    let table = try await workplace.homeport("instances", environment: variables)
                    #expect(table.lines.first?.contains("INSTANCE") == true, "\(table)")
                    kill(server.processID, SIGTERM)
                }
                #expect(status == 0)
            }
            let after = try await workplace.homeport("instances", environment: variables)
            #expect(after.output.isEmpty, "it has ended in order: \(after)")
        }
    }

    @Test(arguments: [
        (["--homes", "all"], "--database postgresql://"),
        (["--homes", "all", "--home", "home-1"], "leave out --home"),
        (["--homes", "all", "--http", "127.0.0.1:0"], "--http shows one home"),
        (["--homes", "all", "--home-assistant"], "--home-assistant announces one home"),
        (
            ["--homes", "all", "--home-assistant-prefix", "ha"],
            "--home-assistant announces one home"
        ),
        (["--homes", "all", "--lease", "900ms"], "--lease is from 1s to 60s"),
        (["--homes", "all", "--lease", "61s"], "--lease is from 1s to 60s"),
        (["--homes", "home 1"], "--homes"), (["--homes", ""], "--homes"),
        (["--homes", "all", "--instance", ""], "1 to 100 characters"),
        (["--instance", "attic"], "need --homes"), (["--lease", "3s"], "need --homes"),
    ])
    func whatCannotBeDrivenIsWrongUsage(options: [String], remark: String) async throws {
        let run = try await workplace.homeport(["serve"] + options)
        #expect(run.status == 64, "\(run)")
        #expect(run.errors.contains(remark), "\(run)")
    }

    @Test func aChannelOfOneHomeIsNotShared() async throws {
        try await withPostgreSQL { database in
            let file = try workplace.folder.file(
                "homes.yaml",
                """
                channels:
                  - {id: mqtt, kind: homeport-mqtt, broker: "mqtt://127.0.0.1:1"}
                  - {id: attic, kind: zigbee2mqtt, broker: "mqtt://127.0.0.1:1"}
                """)
            let run = try await workplace.homeport(
                "serve", "--homes", "all", "--config", file,
                environment: ["HOMEPORT_DATABASE": database.url])
            #expect(run.status == 64, "\(run)")
            #expect(run.errors.contains("the channel attic is of kind zigbee2mqtt"))
        }
    }

    @Test func aBrokerThatRefusesTheCredentialsEndsIt() async throws {
        try await withPostgreSQL { database in
            try await withBroker("allow_anonymous false") { broker in
                let run = try await workplace.homeport(
                    "serve", "--homes", "home-1", "--broker", broker.url,
                    environment: ["HOMEPORT_DATABASE": database.url])
                #expect(run.status == 5, "\(run)")
            }
        }
    }

    @Test func aDatabaseThatIsNotThereIsNoConnection() async throws {
        let url = "postgresql://me@127.0.0.1:\(try freePort())/home"
        for verb in [["instances"], ["serve", "--homes", "all"]] {
            let run = try await workplace.homeport(verb + ["--database", url])
            #expect(run.status == 5, "\(run)")
            #expect(run.errors.contains("cannot be reached"))
        }
    }
}
