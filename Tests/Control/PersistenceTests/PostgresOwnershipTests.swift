import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import Persistence
import PostgresPersistence
import TestSupport
import Testing

/// Who owns a home, and what others cannot do. The clock of the database moves only when a test moves it.
@Suite(.timeLimit(.minutes(1))) struct PostgresOwnershipTests {
    private let controller: ControllerID
    private let home: HomeID
    private let lease = Duration.seconds(3)

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
            let queued = try await first.ledger.accept(.sample())
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
            let others = try await second.ledger.accept(.sample())
            #expect(
                try await first.ledger.adoptOrphans(of: controller, in: home) == [others.id])
            let record = try #require(try await first.ledger.record(of: others.id))
            #expect(record.state == .queued)
            try await first.ledger.advance(record, to: .sending)
            #expect(try await first.ledger.record(of: own.id)?.state == .queued)
        }
    }

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

    // MARK: Parts

    /// A process with the ledger.
    private struct Instance: Sendable {
        let ledger: PostgresCommandLedger
        let ownership: HomeOwnership
        let take: @Sendable () async throws -> HomeOwnership.Taking
    }

    private func withInstances(
        _ body: (LedgerHouse, Instance, Instance) async throws -> Void
    ) async throws {
        try await withPostgreSQL { database in
            let house = LedgerHouse(.postgresql(database))
            let first = try await instance("first", in: house)
            let second = try await instance("second", in: house)
            try await body(house, first, second)
        }
    }

    private func instance(
        _ name: String, in house: LedgerHouse, clock: ManualClock = ManualClock()
    ) async throws -> Instance {
        let database = try await house.openPostgreSQL()
        let ownership = HomeOwnership(database, named: name, lease: lease, clock: clock)
        return Instance(
            ledger: PostgresCommandLedger(database, of: controller, in: home), ownership: ownership
        ) {
            [home, controller] in try await ownership.take(home, of: controller)
        }
    }
}

extension LedgerHouse {
    /// Sets the clock of the database to so many milliseconds after the start.
    fileprivate func advanceClock(by milliseconds: Int) async throws {
        try await setClock(GRDBCommandLedger.start.advanced(by: .milliseconds(milliseconds)))
    }
}
