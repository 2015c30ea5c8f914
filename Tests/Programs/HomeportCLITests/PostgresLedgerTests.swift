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
                        #expect(server.lines.contains { $0.contains("--keep-telemetry") })
                        let second = try await other.homeport(
                            "serve", "--broker", broker.url, environment: variables)
                        #expect(second.status == 1, "\(second)")
                        #expect(second.errors.contains("belongs to the instance"))
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

    @Test func theServerSaysThatTheDatabaseIsAwayAndBack() async throws {
        try await withPostgreSQLServer { database, place in
            try await withBroker { broker in
                let variables = ["HOMEPORT_DATABASE": place.url]
                try await FakeDevice.with(on: broker.url) { device in
                    let status = try await one.runningForRemarks(
                        "serve", "--broker", broker.url, environment: variables
                    ) { server in
                        try await server.line(beginning: "ready")
                        await database.end(SIGQUIT)
                        try await server.line(containing: "nothing is sent until it is back")
                        let refused = try await other.homeport(
                            "send", "lamp-1", "locate", environment: variables)
                        #expect(refused.status == 5, "\(refused)")
                        try await database.start()
                        try await server.line(containing: "commands are sent again")
                        async let call = other.homeport(
                            "send", "lamp-1", "locate", environment: variables)
                        try await device.carryOut(
                            try #require(try await device.commands(1).first))
                        #expect(try await call.status == 0)
                        kill(server.processID, SIGTERM)
                    }
                    #expect(status == 0)
                }
            }
        }
    }

    @Test func aURLWithAPasswordIsWrongUsage() async throws {
        let run = try await one.homeport(
            "history", "--database", "postgresql://me:hidden-word@127.0.0.1/home")
        #expect(run.status == 64)
        #expect(run.errors.contains("~/.pgpass"))
        #expect(!run.errors.contains("hidden-word"))
    }

    /// It is no file of that name.
    @Test(arguments: ["postgressql", "mysql", "POSTGRESQL"], ["history", "devices", "watch"])
    func aURLOfAnotherSchemeIsWrongUsage(_ scheme: String, of verb: String) async throws {
        let run = try await one.homeport(
            verb, "--database", "\(scheme)://me:hidden-word@127.0.0.1/home?a=b")
        #expect(run.status == 64, "\(run)")
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("write it as postgresql://"), "\(run)")
        #expect(!run.errors.contains("hidden-word"))
    }

    @Test func allHomesAndSomeAreWrongUsage() async throws {
        let run = try await one.homeport(
            "serve", "--homes", "all,home-1", "--database", "postgresql://me@127.0.0.1/home")
        #expect(run.status == 64, "\(run)")
        #expect(run.errors.contains("either all, or the homes"), "\(run)")
    }

    /// What only reads, and what is refused, makes no home and takes none.
    @Test func aMistypedHomeIsNotMade() async throws {
        try await withPostgreSQL { database in
            try await withBroker { broker in
                let variables = ["HOMEPORT_DATABASE": database.url, "HOMEPORT_BROKER": broker.url]
                _ = try await one.homeport("devices", "--home", "hoem-1", environment: variables)
                let refused = try await one.homeport(
                    "send", "lamp-1", "locate", "--home", "hoem-2", environment: variables)
                #expect(refused.status == 65, "\(refused)")
            }
            #expect(try await database.execute("SELECT count(*) FROM home") == "0\n")
        }
    }

    /// A machine that reaches no broker leaves a command to whoever owns the home next, whatever that one calls its broker.
    @Test func whatIsQueuedWithoutABrokerGoesToTheNextOwner() async throws {
        try await withPostgreSQL { database in
            let variables = ["HOMEPORT_DATABASE": database.url]
            try await withBroker { broker in
                try await FakeDevice.with(on: broker.url) { device in
                    let listed = try await one.homeport(
                        "devices", "--broker", broker.url, environment: variables)
                    #expect(listed.status == 0)
                    let far = "mqtt://127.0.0.1:\(try freePort())"
                    let queued = try await other.homeport(
                        "send", "lamp-1", "set-level", "percent=3", "--broker", far,
                        environment: variables)
                    #expect(queued.status == 5, "\(queued)")
                    #expect(queued.errors.contains("the next one that does"), "\(queued)")
                    let status = try await one.runningForRemarks(
                        "serve", "--broker", broker.url, environment: variables
                    ) { server in
                        try await device.carryOut(
                            try #require(try await device.commands(1).first))
                        kill(server.processID, SIGTERM)
                    }
                    #expect(status == 0)
                }
            }
        }
    }

    /// A call that waits for long owns the home meanwhile, and sends what others leave.
    @Test func aCallThatWaitsCarriesOutWhatOthersLeave() async throws {
        try await withPostgreSQL { database in
            let variables = ["HOMEPORT_DATABASE": database.url]
            try await withBroker { broker in
                try await FakeDevice.with(on: broker.url) { device in
                    async let long = one.homeport(
                        "send", "lamp-1", "sweep", "--wait", "final", "--broker", broker.url,
                        environment: variables)
                    let sweep = try #require(try await device.commands(1).first)
                    try await device.acknowledge(sweep, n: 1, "accepted", executions: 0)
                    async let short = other.homeport(
                        "send", "lamp-1", "locate", "--broker",
                        "mqtt://127.0.0.1:\(try freePort())", environment: variables)
                    try await device.carryOut(try #require(try await device.commands(1).first))
                    #expect(try await short.status == 0)
                    try await device.acknowledge(sweep, n: 2, "succeeded")
                    #expect(try await long.status == 0)
                }
            }
        }
    }

    @Test func aDatabaseThatIsNotThereIsNoConnection() async throws {
        let url = "postgresql://me@127.0.0.1:\(try freePort())/home"
        let run = try await one.homeport("history", environment: ["HOMEPORT_DATABASE": url])
        #expect(run.status == 5)
        #expect(run.errors.contains("cannot be reached"))
    }
}

extension ChildProcess {
    /// Waits for a line that contains a text.
    fileprivate func line(containing text: String) async throws {
        while let line = try await line() {
            if line.contains(text) { return }
        }
        throw TestSupportError("the program ended without saying \(text): \(lines)")
    }
}
