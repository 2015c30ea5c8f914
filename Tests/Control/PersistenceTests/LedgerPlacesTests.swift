import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import TestSupport
import Testing

/// One ledger, and two brokers with a home of the same name.
@Suite struct LedgerPlacesTests {
    private let controller: ControllerID
    private let home: HomeID
    private let channel: ChannelID

    init() throws {
        controller = try ControllerID("ctl")
        home = try HomeID("home-1")
        channel = try ChannelID("garage-broker")
    }

    @Test(arguments: LedgerKind.allCases)
    func whatIsOpenForAnotherBrokerIsNeitherAdoptedNorAskedAbout(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ids = try await leave([.queued, .sent, .unknown], at: public1, in: house)
            let there = try await open(public2, in: house)
            let other = there.ledger
            #expect(try await other.adoptOrphans(of: controller, in: home).isEmpty)
            let unknown = HistoryQuery(stage: .unknown, isHere: true)
            #expect(try await other.history(unknown).isEmpty)
            #expect(try await other.elsewhere(of: controller, in: home).map(\.id) == ids.reversed())
            try await there.end()
            let same = try await open(public1, in: house).ledger
            #expect(try await same.history(unknown).map(\.id) == [ids[2]])
            #expect(try await same.elsewhere(of: controller, in: home).isEmpty)
            #expect(try await same.adoptOrphans(of: controller, in: home) == ids.dropLast())
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func aSettingDoesNotTakeThePlaceOfOneForAnotherBroker(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let setting = { () throws in
                try CommandIntent.sample(name: "set-level", sort: .setting, offline: .latest)
            }
            let one = try await open(public1, in: house)
            let first = try await one.ledger.accept(setting())
            try await one.end()
            let two = try await open(public2, in: house)
            _ = try await two.ledger.accept(setting())
            #expect(try await two.ledger.record(of: first.id)?.state == .queued)
            try await two.end()
            let again = try await open(public1, in: house).ledger
            _ = try await again.accept(setting())
            #expect(try await again.record(of: first.id)?.state == .superseded)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func aFleetThatIsStartedAgainGetsWhatWaitedForIt(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let (former, latest) = (fleet(1), fleet(2))
            let ids = try await leave(
                [.queued, .unknown], at: former, running: [former], in: house)
            let stranger = try await open(public1, in: house)
            #expect(try await stranger.ledger.adoptOrphans(of: controller, in: home).isEmpty)
            try await stranger.end()
            let second = try await open(latest, running: [former, latest], in: house)
            #expect(try await second.ledger.adoptOrphans(of: controller, in: home).isEmpty)
            #expect(try await second.ledger.history(HistoryQuery(isHere: true)).isEmpty)
            try await second.end()
            let again = try await open(latest, running: [latest], in: house).ledger
            #expect(try await again.history(HistoryQuery(isHere: true)).count == 2)
            #expect(try await again.adoptOrphans(of: controller, in: home) == [ids[0]])
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func aHomeThatHasMovedTakesItsCommandsAlong(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let ids = try await leave([.queued, .unknown, .failed], at: public1, in: house)
            let other = try await open(public2, in: house).ledger
            let moved = try await other.moveHere(of: controller, in: home)
            #expect(moved.map(\.id) == [ids[1], ids[0]])
            #expect(moved.allSatisfy { $0.place == public2 })
            let last = try #require(try await other.events(of: ids[0]).last)
            #expect(last.kind == .moved)
            #expect(last.cause == "the home has moved from mqtt://a:1883 to mqtt://b:1883")
            #expect(try await other.adoptOrphans(of: controller, in: home) == [ids[0]])
            #expect(try await other.verify().isIntact)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func whatWasMadeBeforeTheLedgerKnewBrokersBelongsToEach(_ kind: LedgerKind) async throws {
        try await kind.withHouse { house in
            let process = try await house.open()
            let record = try await process.ledger.accept(.sample())
            try await process.end()
            let other = try await open(public2, in: house).ledger
            #expect(try await other.adoptOrphans(of: controller, in: home) == [record.id])
        }
    }

    private var public1: CommandPlaces.Place { .init(broker: "mqtt://a:1883", isPrivate: false) }
    private var public2: CommandPlaces.Place { .init(broker: "mqtt://b:1883", isPrivate: false) }

    private func fleet(_ port: Int) -> CommandPlaces.Place {
        .init(broker: "mqtt://127.0.0.1:\(port)", isPrivate: true)
    }

    private func open(
        _ place: CommandPlaces.Place, running: Set<CommandPlaces.Place> = [], in house: LedgerHouse
    ) async throws -> LedgerProcess {
        try await house.open(at: CommandPlaces(here: [channel: place], running: running))
    }

    /// Leaves commands behind as a process does that was killed.
    private func leave(
        _ states: [CommandState], at place: CommandPlaces.Place,
        running: Set<CommandPlaces.Place> = [], in house: LedgerHouse
    ) async throws -> [CommandID] {
        let process = try await open(place, running: running, in: house)
        let ledger = process.ledger
        var ids: [CommandID] = []
        for state in states {
            let record = try await ledger.accept(.sample())
            if state != .queued { try await ledger.advance(record, to: state) }
            ids.append(record.id)
        }
        try await process.end()
        return ids
    }
}
