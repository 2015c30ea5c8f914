import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Glibc
import Persistence
import PostgresPersistence
import TestSupport
import Testing

/// Servers that are not there, and connections that are lost.
@Suite(.timeLimit(.minutes(2))) struct PostgresConnectionTests {
    @Test func aServerThatIsNotThereIsUnreachable() async throws {
        let address = try PostgresAddress("postgresql://tester@127.0.0.1:\(freePort())/home")
        let error = await #expect(throws: LedgerError.self) {
            try await onThread { _ = try PostgresDatabase(address, .impatient) }
        }
        #expect(error?.code == .unreachable)
        #expect(error?.message.contains("\(address)") == true)
        #expect(error?.message.contains("check that PostgreSQL runs there") == true)
    }

    @Test(arguments: [
        "postgresql://tester:hidden-word@127.0.0.1/home",
        "postgresql://tester@127.0.0.1/home?password=hidden-word",
        "postgresql://tester:hidden-word@[::1/home", "postgresql://a@b/c?odd=hidden-word",
    ])
    func aPasswordIsRefusedAndNotShown(_ url: String) {
        let error = #expect(throws: LedgerError.self) { try PostgresAddress(url) }
        #expect("\(error as LedgerError?, default: "")".contains("hidden-word") == false)
        #expect(error?.message.contains("URL of the database") == true)
    }

    @Test func aServerThatStartsAgainIsFound() async throws {
        try await withPostgreSQLServer { server, database in
            let ledger = try await LedgerHouse(.postgresql(database)).open().ledger
            let record = try await ledger.accept(.sample())
            await server.end(SIGQUIT)
            try await server.start()
            #expect(try await ledger.advance(record, to: .sending).state == .sending)
            #expect(try await ledger.history(HistoryQuery()).count == 1)
            #expect(try await ledger.verify() == AuditReport(entries: 2, problems: []))
        }
    }

    @Test func aServerThatDoesNotAnswerIsUnreachable() async throws {
        try await withPostgreSQLServer { server, database in
            var limits = PostgresLimits.impatient
            limits.answer = .milliseconds(300)
            let opened = try await LedgerHouse(.postgresql(database)).openPostgreSQL(limits)
            let ledger = PostgresCommandLedger(
                opened, of: try ControllerID("ctl"), in: try HomeID("home-1"))
            _ = try await ledger.leave(.sample())
            server.freeze()
            let error = await #expect(throws: LedgerError.self) {
                try await ledger.leave(.sample())
            }
            #expect(error?.code == .unreachable)
            server.thaw()
            #expect(try await ledger.history(HistoryQuery()).count == 1)
        }
    }

    /// The server has committed, and the connection is lost before it says so.
    @Test func aCommitWhoseAnswerIsLostIsMadeOnce() async throws {
        try await withPostgreSQL { database in
            let house = LedgerHouse(.postgresql(database))
            let owner = try await house.open()
            let proxy = try CommitProxy(to: database.port)
            let address = try PostgresAddress(database.url(onPort: proxy.port))
            let opened = try await onThread { try PostgresDatabase.open(address, writers: 1) }
            let ledger = PostgresCommandLedger(
                opened, of: try ControllerID("ctl"), in: try HomeID("home-1"))
            let intent = try CommandIntent.sample()
            proxy.loseNextCommit()
            let record = try await ledger.leave(intent)
            #expect(proxy.hasLost)
            #expect(record.intent == intent)
            #expect(try await owner.ledger.history(HistoryQuery()).map(\.id) == [intent.id])
            #expect(try await owner.ledger.events(of: intent.id).count == 1)
            // A schedule has no id of its caller.
            let schedules = PostgresScheduleRepository(opened)
            proxy.loseNextCommit()
            _ = try await schedules.add(
                ScheduledCommand(
                    device: try DeviceID("robot-1"), name: CommandName(rawValue: "locate"),
                    arguments: [:]),
                at: .weekly(try #require(TimeOfDay("08:30")), on: [.monday]),
                of: try ControllerID("ctl"), in: try HomeID("home-1"),
                from: GRDBCommandLedger.start)
            #expect(
                try await schedules.schedules(of: ControllerID("ctl"), in: HomeID("home-1")).count
                    == 1)
            proxy.close()
        }
    }

    // MARK: Schema

    @Test func manyThatBeginTogetherMakeTheTablesOnce() async throws {
        try await withPostgreSQL { database in
            let address = try PostgresAddress(database.url)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask { _ = try await onThread { try PostgresDatabase.open(address) } }
                }
                try await group.waitForAll()
            }
            let migrations = try await database.execute(
                "SELECT count(*) = max(number) FROM migration")
            #expect(migrations == "t\n")
        }
    }

    @Test(arguments: [
        (
            "INSERT INTO migration (number, name, at) VALUES (99, 'later', 0)",
            LedgerError.Code.newerSchema
        ),
        ("DROP TABLE migration", .foreign),
    ])
    func whatIsNotOursIsLeftAlone(_ change: String, _ code: LedgerError.Code) async throws {
        try await withPostgreSQL { database in
            let address = try PostgresAddress(database.url)
            _ = try await onThread { try PostgresDatabase.open(address) }
            try await database.execute(change)
            let error = await #expect(throws: LedgerError.self) {
                try await onThread { _ = try PostgresDatabase.open(address) }
            }
            #expect(error?.code == code)
            let found = await #expect(throws: LedgerError.self) {
                try await PostgresDatabase.hasTables(at: address)
            }
            #expect(found?.code == code)
        }
    }

    @Test func whoMayNotMakeTablesIsToldBefore() async throws {
        try await withPostgreSQL { database in
            try await database.execute("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
            let url = database.url.replacing("user=tester", with: "user=guest")
            let error = await #expect(throws: LedgerError.self) {
                try await PostgresDatabase.hasTables(at: PostgresAddress(url))
            }
            #expect(error?.message.contains("GRANT CREATE ON DATABASE") == true)
            #expect(try await !PostgresDatabase.hasTables(at: PostgresAddress(database.url)))
            try await database.execute("DROP ROLE guest")
        }
    }

    @Test func whoMayOnlyReadCannotWrite() async throws {
        try await withPostgreSQL { database in
            let house = LedgerHouse(.postgresql(database))
            let intent = try CommandIntent.sample()
            _ = try await house.open().ledger.accept(intent)
            try await database.execute(
                """
                DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN;
                GRANT USAGE ON SCHEMA homeport TO reader;
                GRANT SELECT ON ALL TABLES IN SCHEMA homeport TO reader
                """)
            let url = database.url.replacing("user=tester", with: "user=reader")
            let address = try PostgresAddress(url)
            let opened = try await onThread { try PostgresDatabase.open(address) }
            let ledger = PostgresCommandLedger(
                opened, of: try ControllerID("ctl"), in: try HomeID("home-1"))
            #expect(try await ledger.record(of: intent.id)?.intent == intent)
            let error = await #expect(throws: LedgerError.self) {
                try await ledger.accept(.sample())
            }
            #expect(error?.code == .unwritable)
            opened.close()
            try await database.execute("DROP OWNED BY reader; DROP ROLE reader")
        }
    }
}

extension PostgresLimits {
    /// Nothing is tried again.
    fileprivate static var impatient: PostgresLimits {
        var limits = PostgresLimits()
        limits.pauses = []
        return limits
    }
}
