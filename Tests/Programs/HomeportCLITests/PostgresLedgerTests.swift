import Glibc
import Homeport
import TestSupport
import Testing

/// A ledger in PostgreSQL, as two machines have it.
@Suite(.timeLimit(.minutes(2))) struct PostgresLedgerTests {
    private let one: Workplace
    private let other: Workplace

    init() throws {
        one = try Workplace()
        other = try Workplace()
    }

    @Test func aHomeBelongsToOneMachineUntilThatOneEnds() async throws {
        try await withPostgreSQL { database in
            let variables = ["HOMEPORT_DATABASE": database.url]
            try await withBroker { broker in
                try await FakeDevice.with(on: broker.url) { device in
                    let status = try await one.runningForRemarks(
                        "serve", "--broker", broker.url, environment: variables
                    ) { server in
                        try await server.line(beginning: "ready")
                        #expect(server.lines.contains { $0.contains("are not kept while") })
                        let second = try await other.homeport(
                            "serve", "--broker", broker.url, environment: variables)
                        #expect(second.status == 1, "\(second)")
                        #expect(second.errors.contains("belongs to the instance"))
                        let refused = try await other.homeport(
                            "send", "lamp-1", "locate", "--broker", broker.url,
                            environment: variables)
                        #expect(refused.status == 1, "\(refused)")
                        #expect(refused.errors.contains("nothing was recorded"))
                        kill(server.processID, SIGTERM)
                    }
                    #expect(status == 0)
                    async let call = other.homeport(
                        "send", "lamp-1", "locate", "--broker", broker.url, environment: variables)
                    try await device.carryOut(try #require(try await device.commands(1).first))
                    let sent = try await call
                    #expect(sent.status == 0, "\(sent)")
                }
            }
            let history = try await one.homeport("history", environment: variables)
            #expect(history.lines.filter { $0.contains("succeeded") }.count == 1, "\(history)")
            let audit = try await one.homeport("audit", "verify", environment: variables)
            #expect(audit.status == 0, "\(audit)")
        }
    }

    @Test func aURLWithAPasswordIsWrongUsage() async throws {
        let run = try await one.homeport(
            "history", "--database", "postgresql://me:hidden-word@127.0.0.1/home")
        #expect(run.status == 64)
        #expect(run.errors.contains("~/.pgpass"))
        #expect(!run.errors.contains("hidden-word"))
    }

    @Test func aDatabaseThatIsNotThereIsNoConnection() async throws {
        let url = "postgresql://me@127.0.0.1:\(try freePort())/home"
        let run = try await one.homeport("history", environment: ["HOMEPORT_DATABASE": url])
        #expect(run.status == 5)
        #expect(run.errors.contains("cannot be reached"))
    }
}
