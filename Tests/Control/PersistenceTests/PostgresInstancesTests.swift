import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import Persistence
import PostgresPersistence
import TestSupport
import Testing

/// Instances that drive several homes, as the ledger knows them. The clock of the database moves only when a test moves
/// it.
@Suite(.timeLimit(.minutes(1))) struct PostgresInstancesTests {
    private let controller: ControllerID
    private let homes: [HomeID]
    private let lease = Duration.seconds(3)

    init() throws {
        controller = try ControllerID("ctl")
        homes = try ["home-1", "home-2", "home-3"].map { try HomeID($0) }
    }

    // MARK: The list

    @Test func whoEndsInOrderIsForgottenAndWhoDiesIsListed() async throws {
        try await withHouse { house, address in
            #expect(try await PostgresDatabase.instances(at: address).isEmpty, "without tables")
            let (one, other) = (
                try await instance("b", in: house), try await instance("a", in: house)
            )
            _ = try await one.take(homes[0], of: controller)
            _ = try await one.take(homes[1], of: controller)
            _ = try await other.take(homes[2], of: controller)
            let end = GRDBCommandLedger.start.advanced(by: lease)
            #expect(
                try await PostgresDatabase.instances(at: address) == [
                    LedgerInstance(name: "a", isAlive: true, homes: 1, expiresAt: end),
                    LedgerInstance(name: "b", isAlive: true, homes: 2, expiresAt: end),
                ])
            try await other.release()
            try await house.setClock(end)
            #expect(
                try await PostgresDatabase.instances(at: address) == [
                    LedgerInstance(name: "b", isAlive: false, homes: 2, expiresAt: end)
                ])
        }
    }

    @Test func whoHasReleasedItsHomesMayTakeThemAgain() async throws {
        try await withHouse { house, address in
            let one = try await instance("one", in: house)
            _ = try await one.take(homes[0], of: controller)
            try await one.release()
            #expect(try await one.take(homes[0], of: controller) == .taken(epoch: 2))
            #expect(try await PostgresDatabase.instances(at: address).map(\.homes) == [1])
        }
    }

    /// A process was stopped for more than a day, and another one has removed its row.
    @Test func whoWasForgottenBeginsAnew() async throws {
        try await withHouse { house, _ in
            let one = try await instance("one", in: house, .all)
            _ = try await one.take(homes[0], of: controller)
            try await house.execute(
                "UPDATE home SET instance = NULL; DELETE FROM instance")
            #expect(try await one.renew().map(\.home) == [homes[0]])
            #expect(!one.maySend)
            #expect(try await one.take(homes[0], of: controller) == .taken(epoch: 2))
            #expect(one.maySend)
        }
    }

    /// It stops to drive what the next renewal says is lost.
    @Test func anInstanceThatSendsTooLateStillHearsWhatItHasLost() async throws {
        try await withHouse { house, _ in
            let (database, clock) = (try await house.openPostgreSQL(), ManualClock())
            let one = ownership("one", of: database, .all, clock: clock)
            let other = try await instance("other", in: house, .all)
            _ = try await one.take(homes[0], of: controller)
            clock.advance(by: lease)
            try await house.advanceClock(by: 3_000)
            #expect(try await other.take(homes[0], of: controller) == .taken(epoch: 2))
            let ledger = PostgresCommandLedger(
                database, of: controller, in: homes[0], ownedBy: one)
            let error = await #expect(throws: LedgerError.self) {
                try await ledger.accept(.sample(), opening: .queued.next(.sending))
            }
            #expect(error?.code == .unreachable)
            #expect(try await one.renew().map(\.home) == [homes[0]])
        }
    }

    // MARK: The standing

    @Test func theStandingTellsWhoDrivesAndWhoOwns() async throws {
        try await withHouse { house, _ in
            let one = try await instance("one", in: house, .all)
            let picky = try await instance("picky", in: house, .only([homes[1], homes[2]]))
            let foreign = try await instance("foreign", in: house, .all, of: ControllerID("other"))
            let single = try await instance("single", in: house)
            for instance in [one, picky, foreign] { _ = try await instance.standing(unlike: nil) }
            try await one.make([homes[0]])
            try await picky.make([homes[1]])
            _ = try await picky.take(homes[1], of: controller)
            _ = try await single.take(homes[2], of: controller)
            let standing = try #require(try await one.standing(unlike: nil))
            #expect(standing.instances.map(\.takes) == [.all, .only([homes[1], homes[2]])])
            #expect(standing.owners.keys.sorted() == homes)
            #expect(standing.owners[homes[0]] == .some(nil))
            #expect(standing.owners[homes[1]] == standing.instances[1].number)
            let allotment = HomeAllotment(standing)
            #expect(allotment.taken == [homes[0]], "a home of another process is left alone")
            #expect(try await picky.standing(unlike: nil)?.own == standing.instances[1].number)
        }
    }

    @Test func theStandingIsReadAgainOnlyWhereItHasChanged() async throws {
        try await withHouse { house, _ in
            let one = try await instance("one", in: house, .all)
            try await one.make([homes[0], homes[1]])
            var mark = try #require(try await one.standing(unlike: nil)).mark
            #expect(try await one.standing(unlike: mark) == nil)
            func expectChange(_ what: Comment) async throws {
                mark = try #require(try await one.standing(unlike: mark), what).mark
                #expect(try await one.standing(unlike: mark) == nil)
            }
            let single = try await instance("single", in: house)
            _ = try await single.take(homes[0], of: controller)
            try await expectChange("a home was taken")
            try await one.make([homes[2]])
            try await expectChange("a home has come")
            try await one.release(homes[0], of: controller)
            #expect(try await one.standing(unlike: mark) == nil, "it belongs to another process")
            try await house.setClock(GRDBCommandLedger.start.advanced(by: .seconds(2)))
            _ = try await one.renew()
            #expect(try await one.standing(unlike: mark) == nil)
            try await house.setClock(GRDBCommandLedger.start.advanced(by: .seconds(4)))
            try await expectChange("a lease is over")
        }
    }

    @Test func aHomeThatIsGivenUpIsFreeAndTheOthersStay() async throws {
        try await withHouse { house, _ in
            let one = try await instance("one", in: house, .all)
            let other = try await instance("other", in: house, .all)
            _ = try await one.take(homes[0], of: controller)
            _ = try await one.take(homes[1], of: controller)
            try await one.release(homes[0], of: controller)
            #expect(!one.owns(homes[0], of: controller))
            #expect(try await other.take(homes[0], of: controller) == .taken(epoch: 2))
            #expect(
                try await other.take(homes[1], of: controller)
                    == .held(by: "one", milliseconds: 3_000))
            #expect(try await one.renew().isEmpty)
            let ledger = PostgresCommandLedger(
                try await house.openPostgreSQL(), of: controller, in: homes[0])
            #expect(try await ledger.verify().isIntact)
        }
    }

    // MARK: Looks

    @Test func aLookFindsWhatIsDueInTheHomesOfTheInstance() async throws {
        try await withHouse { house, _ in
            let database = try await house.openPostgreSQL()
            let one = ownership("one", of: database, .all)
            for home in homes[0...1] { _ = try await one.take(home, of: controller) }
            #expect(try await one.look()?.orphaned == [])
            // As another process: what is queued, and what is of a home of nobody.
            let others = try await house.openPostgreSQL()
            for home in [homes[1], homes[2]] {
                _ = try await PostgresCommandLedger(others, of: controller, in: home)
                    .leave(.sample(home: home.text))
            }
            #expect(try await one.look()?.orphaned == [homes[1]])
            let ledger = PostgresCommandLedger(
                database, of: controller, in: homes[1], ownedBy: one)
            let adopted = try await ledger.adoptOrphans(of: controller, in: homes[1])
            #expect(try await one.look()?.orphaned == [])
            #expect(try await one.look()?.unknown == [])
            let record = try #require(try await ledger.record(of: adopted[0]))
            try await ledger.advance(record, to: .unknown)
            #expect(try await one.look()?.unknown == [homes[1]])
        }
    }

    @Test func schedulesAreReadAgainOnlyWhereALookFindsAChange() async throws {
        try await withHouse { house, _ in
            let database = try await house.openPostgreSQL()
            let one = ownership("one", of: database, .all)
            let schedules = PostgresScheduleRepository(database)
            let command = ScheduledCommand(
                device: try DeviceID("lamp-1"), name: CommandName(rawValue: "locate"),
                arguments: [:])
            func add() async throws {
                _ = try await schedules.add(
                    command, at: .weekly(#require(TimeOfDay("07:00")), on: Set(Weekday.allCases)),
                    of: controller, in: homes[0], from: GRDBCommandLedger.start)
            }
            func count() async throws -> Int {
                try await schedules.schedules(of: controller, in: homes[0]).count
            }
            try await add()
            #expect(try await count() == 1, "nobody looks")
            _ = try await one.look()
            #expect(try await count() == 1)
            try await add()
            #expect(try await count() == 1)
            let look = try #require(try await one.look())
            #expect(try await count() == 2)
            #expect(look.schedules.keys.sorted() == [homes[0]])
            try await house.execute("UPDATE schedule SET isPaused = true")
            let other = try #require(try await one.look())
            #expect(other.schedules[homes[0]] != look.schedules[homes[0]])
            #expect(try await schedules.schedules(of: controller, in: homes[0])[0].isPaused)
            try await house.execute("DELETE FROM schedule")
            _ = try await one.look()
            #expect(try await count() == 0)
        }
    }

    @Test func withdrawalsAreReadOnlyWhereTheLogHasGrownBeforeTheLatestLook() async throws {
        try await withHouse { house, _ in
            let database = try await house.openPostgreSQL()
            let one = ownership("one", of: database, .all)
            _ = try await one.take(homes[0], of: controller)
            let ledger = PostgresCommandLedger(
                database, of: controller, in: homes[0], ownedBy: one)
            let record = try await ledger.accept(.sample(home: homes[0].text))
            _ = try await ledger.accept(.sample(home: homes[0].text))
            let end = try await ledger.withdrawals(after: nil).end
            _ = try await one.look()
            let others = PostgresCommandLedger(
                try await house.openPostgreSQL(), of: controller, in: homes[0])
            _ = try await others.withdraw(record.id)
            #expect(try await ledger.withdrawals(after: end).records.isEmpty)
            _ = try await one.look()
            #expect(try await ledger.withdrawals(after: end).records.map(\.id) == [record.id])
        }
    }

    /// It has given the home up, while something of it is still under way.
    @Test func whoTakesItsShareTakesNoHomeBesideIt() async throws {
        try await withHouse { house, address in
            let database = try await house.openPostgreSQL()
            let one = ownership("one", of: database, .all)
            _ = try await one.take(homes[0], of: controller)
            let ledger = PostgresCommandLedger(
                database, of: controller, in: homes[0], ownedBy: one)
            try await one.release(homes[0], of: controller)
            let error = await #expect(throws: LedgerError.self) {
                try await ledger.accept(
                    .sample(home: homes[0].text), opening: .queued.next(.sending))
            }
            #expect(error?.code == .fenced)
            #expect(try await ledger.leave(.sample(home: homes[0].text)).state == .queued)
            #expect(try await ledger.adoptOrphans(of: controller, in: homes[0]).isEmpty)
            #expect(try await PostgresDatabase.instances(at: address).map(\.homes) == [0])
        }
    }

    // MARK: Parts

    private func withHouse(
        _ body: (LedgerHouse, PostgresAddress) async throws -> Void
    ) async throws {
        try await withPostgreSQL { database in
            try await body(
                LedgerHouse(.postgresql(database)), try PostgresAddress(database.url))
        }
    }

    private func instance(
        _ name: String, in house: LedgerHouse, _ homes: ServedHomes? = nil,
        of controller: ControllerID? = nil
    ) async throws -> HomeOwnership {
        ownership(name, of: try await house.openPostgreSQL(), homes, of: controller)
    }

    private func ownership(
        _ name: String, of database: PostgresDatabase, _ homes: ServedHomes?,
        of controller: ControllerID? = nil, clock: ManualClock = ManualClock()
    ) -> HomeOwnership {
        HomeOwnership(
            database, named: name, lease: lease,
            serving: homes.map { HomeOwnership.Serving(of: controller ?? self.controller, $0) },
            clock: clock)
    }
}
