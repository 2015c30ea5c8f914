import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import TestSupport
import Testing

/// One ledger, and two brokers with a home of the same name.
@Suite struct LedgerPlacesTests {
    private let folder: TemporaryFolder
    private let controller: ControllerID
    private let home: HomeID
    private let channel: ChannelID

    init() throws {
        folder = try TemporaryFolder()
        controller = try ControllerID("ctl")
        home = try HomeID("home-1")
        channel = try ChannelID("garage-broker")
    }

    @Test func whatIsOpenForAnotherBrokerIsNeitherAdoptedNorAskedAbout() async throws {
        let ids = try await leave([.queued, .sent, .unknown], at: public1)
        let (_, other) = try open(public2)
        #expect(try await other.adoptOrphans(of: controller, in: home).isEmpty)
        let unknown = HistoryQuery(stage: .unknown, isHere: true)
        #expect(try await other.history(unknown).isEmpty)
        #expect(try await other.elsewhere(of: controller, in: home).map(\.id) == ids.reversed())
        let (_, same) = try open(public1)
        #expect(try await same.history(unknown).map(\.id) == [ids[2]])
        #expect(try await same.elsewhere(of: controller, in: home).isEmpty)
        #expect(try await same.adoptOrphans(of: controller, in: home) == ids.dropLast())
    }

    @Test func aSettingDoesNotTakeThePlaceOfOneForAnotherBroker() async throws {
        let setting = { () throws in
            try CommandIntent.sample(name: "set-level", sort: .setting, offline: .latest)
        }
        let (_, one) = try open(public1)
        let (_, two) = try open(public2)
        let first = try await one.accept(setting())
        _ = try await two.accept(setting())
        #expect(try await one.record(of: first.id)?.state == .queued)
        _ = try await one.accept(setting())
        #expect(try await one.record(of: first.id)?.state == .superseded)
    }

    @Test func aFleetThatIsStartedAgainGetsWhatWaitedForIt() async throws {
        let (former, latest) = (fleet(1), fleet(2))
        let ids = try await leave([.queued, .unknown], at: former, running: [former])
        let (_, stranger) = try open(public1)
        #expect(try await stranger.adoptOrphans(of: controller, in: home).isEmpty)
        let (_, second) = try open(latest, running: [former, latest])
        #expect(try await second.adoptOrphans(of: controller, in: home).isEmpty)
        #expect(try await second.history(HistoryQuery(isHere: true)).isEmpty)
        let (_, again) = try open(latest, running: [latest])
        #expect(try await again.history(HistoryQuery(isHere: true)).count == 2)
        #expect(try await again.adoptOrphans(of: controller, in: home) == [ids[0]])
    }

    @Test func aHomeThatHasMovedTakesItsCommandsAlong() async throws {
        let ids = try await leave([.queued, .unknown, .failed], at: public1)
        let (_, other) = try open(public2)
        let moved = try await other.moveHere(of: controller, in: home)
        #expect(moved.map(\.id) == [ids[1], ids[0]])
        #expect(moved.allSatisfy { $0.place == public2 })
        let last = try #require(try await other.events(of: ids[0]).last)
        #expect(last.kind == .moved)
        #expect(last.cause == "the home has moved from mqtt://a:1883 to mqtt://b:1883")
        #expect(try await other.adoptOrphans(of: controller, in: home) == [ids[0]])
        #expect(try await other.verify().isIntact)
    }

    @Test func whatWasMadeBeforeTheLedgerKnewBrokersBelongsToEach() async throws {
        let (database, ledger) = try folder.openLedger()
        let record = try await ledger.accept(.sample())
        database.retire()
        let (_, other) = try open(public2)
        #expect(try await other.adoptOrphans(of: controller, in: home) == [record.id])
    }

    private var public1: CommandPlaces.Place { .init(broker: "mqtt://a:1883", isPrivate: false) }
    private var public2: CommandPlaces.Place { .init(broker: "mqtt://b:1883", isPrivate: false) }

    private func fleet(_ port: Int) -> CommandPlaces.Place {
        .init(broker: "mqtt://127.0.0.1:\(port)", isPrivate: true)
    }

    private func open(
        _ place: CommandPlaces.Place, running: Set<CommandPlaces.Place> = []
    ) throws -> (LedgerDatabase, GRDBCommandLedger) {
        try folder.openLedger(at: CommandPlaces(here: [channel: place], running: running))
    }

    /// Leaves commands behind as a process does that was killed.
    private func leave(
        _ states: [CommandState], at place: CommandPlaces.Place,
        running: Set<CommandPlaces.Place> = []
    ) async throws -> [CommandID] {
        let (database, ledger) = try open(place, running: running)
        defer { database.retire() }
        var ids: [CommandID] = []
        for state in states {
            let record = try await ledger.accept(.sample())
            if state != .queued { try await ledger.advance(record, to: state) }
            ids.append(record.id)
        }
        return ids
    }
}
