import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Glibc
import HomeportTesting
import Persistence
import PostgresPersistence
import TestSupport
import Testing

/// Who owns a home, and what others cannot do. The clock of the database moves only when a test moves it.
@Suite(.timeLimit(.minutes(1))) struct PostgresOwnershipTests {
    let controller: ControllerID
    let home: HomeID
    let lease = Duration.seconds(3)

    init() throws {
        controller = try ControllerID("ctl")
        home = try HomeID("home-1")
    }

    @Test func aHomeIsOwnedUntilTheLeaseIsOver() async throws {
        try await withInstances { house, first, second in
            #expect(try await first.take() == .taken(epoch: 1))
            #expect(try await first.take() == .taken(epoch: 1), "it has it already")
            #expect(try await second.take() == .held(by: "first", milliseconds: 3_000))
            try await house.advanceClock(by: 2_999)
            #expect(try await second.take() == .held(by: "first", milliseconds: 1))
            try await house.advanceClock(by: 3_000)
            #expect(try await second.take() == .taken(epoch: 2))
            #expect(try await first.take() == .held(by: "second", milliseconds: 3_000))
        }
    }

    @Test func aRenewedLeaseLastsLonger() async throws {
        try await withInstances { house, first, second in
            _ = try await first.take()
            try await house.advanceClock(by: 2_000)
            #expect(try await first.ownership.renew().isEmpty)
            try await house.advanceClock(by: 4_000)
            #expect(try await second.take() == .held(by: "first", milliseconds: 1_000))
        }
    }

    @Test func whatIsReleasedIsFreeAtOnce() async throws {
        try await withInstances { _, first, second in
            _ = try await first.take()
            try await first.ownership.release()
            #expect(try await second.take() == .taken(epoch: 2))
        }
    }

    @Test func ofManyThatTakeAtOnceOneGetsIt() async throws {
        try await withPostgreSQL { database in
            let house = LedgerHouse(.postgresql(database))
            var instances: [Instance] = []
            for number in 0..<6 { instances.append(try await instance("\(number)", in: house)) }
            let takings = try await withThrowingTaskGroup(of: HomeOwnership.Taking.self) { group in
                for instance in instances { group.addTask { try await instance.take() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(takings.filter { $0 == .taken(epoch: 1) }.count == 1)
        }
    }

    /// Whatever the clock of the machine shows.
    @Test func anOwnersWallClockIsThatOfTheDatabase() async throws {
        try await withPostgreSQL { database in
            let house = LedgerHouse(.postgresql(database))
            let machine = ManualClock()
            machine.stepWall(by: .seconds(3_600))
            let instance = try await instance("first", in: house, clock: machine)
            let clock = DatabaseClock(of: instance.ownership, on: machine)
            #expect(clock.now == machine.now, "the database was not heard yet")
            _ = try await instance.take()
            #expect(clock.now.wall == GRDBCommandLedger.start)
            machine.advance(by: .seconds(1))
            #expect(clock.now.wall == GRDBCommandLedger.start.advanced(by: .seconds(1)))
            machine.stepWall(by: .seconds(-3_600))
            try await house.advanceClock(by: 1_500)
            #expect(clock.now.wall == GRDBCommandLedger.start.advanced(by: .seconds(1)))
            _ = try await instance.ownership.renew()
            #expect(clock.now.wall == GRDBCommandLedger.start.advanced(by: .milliseconds(1_500)))
            #expect(clock.now.elapsed == machine.now.elapsed)
        }
    }

    // MARK: Fences

    /// A process was stopped for longer than its lease, and goes on without knowing of its successor.
    @Test func aFormerOwnerWritesNothing() async throws {
        try await withInstances { house, first, second in
            _ = try await first.take()
            let record = try await first.ledger.accept(.sample())
            let other = try await first.ledger.accept(.sample())
            try await house.advanceClock(by: 3_000)
            #expect(try await second.take() == .taken(epoch: 2))
            try await expectFences(on: first.ledger, record)
            #expect(try await second.ledger.record(of: record.id) == record)
            #expect(try await second.ledger.events(of: record.id).count == 1)
            #expect(try await second.ledger.history(HistoryQuery()).count == 2)
            // As anybody may.
            #expect(try await first.ledger.withdraw(other.id)?.state == .cancelled)
            let queued = try await first.ledger.leave(.sample())
            #expect(queued.state == .queued)
            let lost = try await first.ownership.renew()
            #expect(lost.map(\.home) == [home])
            #expect(try await second.ledger.verify().isIntact)
        }
    }

    /// The rules of the schema are gone, and a wrong program takes the home before the lease is over and without a new
    /// epoch.
    @Test func aTakeOverThatIsWrongDoesNotLetTheFormerOwnerWrite() async throws {
        try await withInstances { house, first, second in
            _ = try await first.take()
            let record = try await first.ledger.accept(.sample())
            // So that it is there.
            _ = try await second.take()
            try await house.execute(
                "UPDATE home SET instance = (SELECT number FROM instance WHERE name = 'second')")
            try await expectFences(on: first.ledger, record)
            #expect(try await second.ledger.events(of: record.id).count == 1)
        }
    }

    @Test(arguments: [
        "UPDATE home SET instance = (SELECT number FROM instance WHERE name = 'second')",
        """
        UPDATE home SET epoch = epoch + 1,
            instance = (SELECT number FROM instance WHERE name = 'second')
        """,
        "UPDATE home SET epoch = 0, instance = NULL",
    ])
    func theSchemaRefusesATakeOverThatIsWrong(_ statement: String) async throws {
        try await withInstances { house, first, second in
            _ = try await first.take()
            _ = try await second.take()
            await #expect(throws: TestSupportError.self) {
                try await house.executeUnderRules(statement)
            }
            let record = try await first.ledger.accept(.sample())
            #expect(try await first.ledger.advance(record, to: .sending).state == .sending)
        }
    }

    /// The home has a later owner; a wrong program writes without looking.
    @Test(arguments: [
        "UPDATE command SET step = step + 1, state = 'sending', epoch = 1",
        "UPDATE command SET step = step + 1, state = 'sending', epoch = 0",
        """
        INSERT INTO event (home, number, epoch, command, kind, at, cause, detail, hash)
        SELECT home, 9, 1, command, 'sent', at, cause, detail, hash FROM event
        """,
        """
        INSERT INTO event (home, number, epoch, command, kind, at, cause, detail, hash)
        SELECT home, 9, 0, command, 'sent', at, cause, detail, hash FROM event
        """,
    ])
    func theSchemaRefusesWhatAFormerOwnerWrites(_ statement: String) async throws {
        try await withInstances { house, first, second in
            _ = try await first.take()
            _ = try await first.ledger.accept(.sample())
            try await first.ownership.release()
            _ = try await second.take()
            await #expect(throws: TestSupportError.self) {
                try await house.executeUnderRules(statement)
            }
        }
    }

    private func expectFences(
        on ledger: any TestedLedger, _ record: CommandRecord,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let event = LedgerEvent(.deadline, of: record.id, at: record.intent.issuedAt)
        let attempts: [@Sendable () async throws -> Void] = [
            { _ = try await ledger.accept(.sample(), opening: .queued.next(.sending)) },
            { _ = try await ledger.accept(.sample()) },
            { try await ledger.advance(record, to: .sending) },
            { try await ledger.append([event]) },
            { _ = try await ledger.file(record.intent.evidence(.accepted, n: 1), at: event.at) },
            {
                _ = try await ledger.moveHere(
                    of: record.intent.controller, in: record.intent.home)
            },
        ]
        for attempt in attempts {
            let error = await #expect(throws: LedgerError.self, sourceLocation: sourceLocation) {
                try await attempt()
            }
            #expect(error?.code == .fenced, sourceLocation: sourceLocation)
        }
    }

    // MARK: Succession

    @Test func theNextOwnerFollowsTheCommandsOfTheFormerOne() async throws {
        try await withInstances { house, first, second in
            _ = try await first.take()
            let (one, other) = (
                try await first.ledger.accept(.sample()), try await first.ledger.accept(.sample())
            )
            let sending = try await first.ledger.advance(one, to: .sending)
            let ended = try await first.ledger.advance(other, to: .failed)
            try await house.advanceClock(by: 3_000)
            #expect(
                try await second.ledger.adoptOrphans(of: controller, in: home).isEmpty,
                "it is not the owner")
            _ = try await second.take()
            #expect(
                try await second.ledger.adoptOrphans(of: controller, in: home) == [sending.id])
            let adopted = try #require(try await second.ledger.record(of: sending.id))
            #expect(adopted.progress.mayHaveLeft)
            #expect(try await second.ledger.record(of: ended.id) == ended)
            #expect(try await second.ledger.adoptOrphans(of: controller, in: home).isEmpty)
            #expect(try await second.ledger.verify().isIntact)
        }
    }

    @Test func theOwnerFollowsWhatOthersQueue() async throws {
        try await withInstances { _, first, second in
            _ = try await first.take()
            let own = try await first.ledger.accept(.sample())
            let others = try await second.ledger.leave(.sample())
            #expect(
                try await first.ledger.adoptOrphans(of: controller, in: home) == [others.id])
            let record = try #require(try await first.ledger.record(of: others.id))
            #expect(record.state == .queued)
            try await first.ledger.advance(record, to: .sending)
            #expect(try await first.ledger.record(of: own.id)?.state == .queued)
        }
    }

    /// Whoever leaves a command may have another time, and other channels.
    @Test func whatIsLeftIsOfTheDatabasesTimeAndOfNoPlace() async throws {
        try await withInstances { house, first, second in
            try await house.advanceClock(by: 7_000)
            let intent = try CommandIntent.sample()
            let left = try await second.ledger.leave(intent)
            let moment = GRDBCommandLedger.start.advanced(by: .seconds(7))
            #expect(left.intent.issuedAt == moment)
            #expect(left.intent.expiresAt == moment.advanced(by: .seconds(30)))
            #expect(left.progress.timings.createdAt == moment)
            #expect(left.place == nil)
            #expect(try CommandMessage(payload: left.prepared.payload).issuedAt == moment)
            #expect(try await second.ledger.leave(intent) == left, "it was left before")
            _ = try await first.take()
            #expect(
                try await first.ledger.adoptOrphans(of: controller, in: home) == [left.id])
            #expect(try await first.ledger.record(of: left.id)?.place == Self.place)
            #expect(try await first.ledger.verify().isIntact)
        }
    }

    /// The home becomes free in this moment.
    @Test func whoLeavesACommandAndOwnsTheHomeFollowsIt() async throws {
        try await withInstances { _, first, _ in
            _ = try await first.take()
            let left = try await first.ledger.leave(.sample())
            #expect(
                try await first.ledger.adoptOrphans(of: controller, in: home) == [left.id])
        }
    }

    @Test func theNameOfTheOwnerIsKnown() async throws {
        try await withInstances { house, first, second in
            #expect(try await second.ownership.owner(of: home, of: controller) == nil)
            _ = try await first.take()
            #expect(try await second.ownership.owner(of: home, of: controller) == "first")
            try await house.advanceClock(by: 3_000)
            #expect(try await second.ownership.owner(of: home, of: controller) == nil)
        }
    }

    // MARK: Leaving

    @Test func nobodyButTheOwnerLetsACommandLeave() async throws {
        try await withInstances { _, first, second in
            _ = try await first.take()
            let error = await #expect(throws: LedgerError.self) {
                try await second.ledger.accept(.sample(), opening: .queued.next(.sending))
            }
            #expect(error?.code == .fenced)
            #expect(try await first.ledger.history(HistoryQuery()).isEmpty)
        }
    }

    // MARK: Its own clock

    /// Others may take the home a lease after the last renewal; it stops earlier.
    @Test func itStopsSendingBeforeItsLeaseIsOver() async throws {
        try await withPostgreSQL { database in
            let house = LedgerHouse(.postgresql(database))
            let clock = ManualClock()
            let instance = try await instance("first", in: house, clock: clock)
            #expect(!instance.ownership.maySend)
            _ = try await instance.take()
            #expect(instance.ownership.maySend)
            clock.advance(by: .milliseconds(2_249))
            #expect(instance.ownership.maySend)
            clock.advance(by: .milliseconds(1))
            #expect(!instance.ownership.maySend)
            _ = try await instance.ownership.renew()
            #expect(instance.ownership.maySend)
            try await instance.ownership.release()
            #expect(!instance.ownership.maySend)
        }
    }

    /// It was stopped for a while, or taking the home took long.
    @Test func itAsksWhetherItStillOwnsTheHomeBeforeACommandLeaves() async throws {
        try await withPostgreSQL { database in
            let house = LedgerHouse(.postgresql(database))
            let clock = ManualClock()
            let first = try await instance("first", in: house, clock: clock)
            let second = try await instance("second", in: house)
            let ledger = PostgresCommandLedger(
                first.database, of: controller, in: home, ownedBy: first.ownership)
            _ = try await first.take()
            clock.advance(by: .seconds(10))
            let record = try await ledger.accept(.sample(), opening: .queued.next(.sending))
            #expect(record.state == .sending && first.ownership.maySend)
            clock.advance(by: .seconds(10))
            try await house.advanceClock(by: 3_000)
            #expect(try await second.take() == .taken(epoch: 2))
            let error = await #expect(throws: LedgerError.self) {
                try await ledger.accept(.sample(), opening: .queued.next(.sending))
            }
            #expect(error?.code == .fenced)
        }
    }

    // MARK: Parts

    /// A process with the ledger.
    struct Instance: Sendable {
        let database: PostgresDatabase
        let ledger: PostgresCommandLedger
        let ownership: HomeOwnership
        let take: @Sendable () async throws -> HomeOwnership.Taking
    }

    /// The failure of the last renewal is known until one succeeds.
    @Test func whyTheLeaseIsNotExtendedIsKnown() async throws {
        try await withPostgreSQLServer { server, database in
            let house = LedgerHouse(.postgresql(database))
            let instance = try await instance("first", in: house)
            _ = try await instance.take()
            _ = try await instance.ownership.renew()
            #expect(instance.ownership.failure == nil)
            await server.end(SIGQUIT)
            await #expect(throws: LedgerError.self) { try await instance.ownership.renew() }
            #expect(instance.ownership.failure?.code == .unreachable)
            try await server.start()
            #expect(try await instance.ownership.renew().isEmpty)
            #expect(instance.ownership.failure == nil)
        }
    }

    private static let place = CommandPlaces.Place("mqtt://broker.example")

    func withInstances(
        _ body: (LedgerHouse, Instance, Instance) async throws -> Void
    ) async throws {
        try await withPostgreSQL { database in
            let house = LedgerHouse(.postgresql(database))
            let first = try await instance("first", in: house)
            let second = try await instance("second", in: house)
            try await body(house, first, second)
        }
    }

    func instance(
        _ name: String, in house: LedgerHouse, clock: ManualClock = ManualClock()
    ) async throws -> Instance {
        var limits = PostgresLimits()
        limits.listening = .milliseconds(10)
        let database = try await house.openPostgreSQL(limits)
        let ownership = HomeOwnership(database, named: name, lease: lease, clock: clock)
        let places = CommandPlaces(here: [try ChannelID("garage-broker"): Self.place])
        return Instance(
            database: database,
            ledger: PostgresCommandLedger(database, of: controller, in: home) { places },
            ownership: ownership
        ) {
            [home, controller] in try await ownership.take(home, of: controller)
        }
    }
}

extension CommandLedger {
    func putAway(_ record: CommandRecord) async throws {
        var progress = record.progress
        progress.step += 1
        progress.timings.closedAt = record.intent.issuedAt
        let event = LedgerEvent(.putAway, of: record.id, at: record.intent.issuedAt)
        _ = try await advance(
            record.id, after: record.progress.step, to: progress, because: [event])
    }
}

extension LedgerHouse {
    /// Sets the clock of the database to so many milliseconds after the start.
    func advanceClock(by milliseconds: Int) async throws {
        try await setClock(GRDBCommandLedger.start.advanced(by: .milliseconds(milliseconds)))
    }
}
