import Connectivity
import DeviceDomain
import DeviceMessages
import HomeModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct LiveHomeTests {
    private let house: ModelHouse
    private let live: LiveHome

    init() throws {
        house = try ModelHouse()
        live = LiveHome(house.home) { Timestamp(milliseconds: 1) }
    }

    private func hear(_ contents: DeviceObservation.Content...) {
        for content in contents { live.apply(house.said(content)) }
    }

    /// What a reader has got until the home ends.
    private func read(_ changes: HomeChanges) async -> [DeviceChange.Content] {
        live.finish()
        var contents: [DeviceChange.Content] = []
        for await change in changes {
            if case .device(let change) = change { contents.append(change.content) }
        }
        return contents
    }

    @Test func aReaderBeginsWithWhatIsKnown() async {
        hear(.description(house.profile), .presence(house.online), .state(house.state(1)))
        let changes = live.changes()
        #expect(
            await read(changes) == [
                .description(house.profile), .presence(house.online), .state(house.state(1)),
            ])
    }

    @Test func aSlowReaderSeesTheNewestOnceAndNothingOldAfterwards() async {
        let changes = live.changes()
        for n in 1...5 { hear(.telemetry(TelemetryReport([:], n: n)), .state(house.state(n))) }
        #expect(
            await read(changes) == [.telemetry(TelemetryReport([:], n: 5)), .state(house.state(5))])
        #expect(changes.skippedCount == 8)
        #expect(changes.droppedCount == 0)
    }

    @Test func eachEventComesOnceAndInOrder() async throws {
        let changes = live.changes()
        let events = (1...50).map { seed in
            EventReport(
                EventName.stuck, id: EventID(at: house.noon, seed: UInt64(seed)))
        }
        for event in events { hear(.event(event), .event(event)) }
        #expect(await read(changes) == events.map { .event($0) })
    }

    @Test func eventsBeyondTheBoundOfBytesAreDroppedAndCounted() async {
        let changes = live.changes()
        var iterator = changes.makeAsyncIterator()
        let text = String(repeating: "x", count: 60_000)
        func hear(_ seeds: ClosedRange<UInt64>) {
            for seed in seeds {
                let id = EventID(at: house.noon, seed: seed)
                self.hear(.event(EventReport(.stuck, id: id, detail: ["x": .string(text)])))
            }
        }
        // What was read takes no room.
        for _ in 1...2 {
            hear(1...400)
            for _ in 1...400 { _ = await iterator.next() }
        }
        #expect(changes.droppedCount == 0)
        hear(1...700)
        let count = await read(changes).count
        #expect((500...559).contains(count))
        #expect(changes.droppedCount == 700 - count)
    }

    @Test func eventsBeyondTheBoundAreDroppedAndCounted() async {
        let changes = live.changes()
        for seed in 1...10_003 {
            hear(.event(EventReport(.stuck, id: EventID(at: house.noon, seed: UInt64(seed)))))
        }
        #expect(await read(changes).count == 10_000)
        #expect(changes.droppedCount == 3)
    }

    @Test func aRemovalTakesBackWhatWaited() async {
        hear(.description(house.profile))
        let changes = live.changes()
        hear(.state(house.state(1)), .removed, .presence(house.online))
        #expect(await read(changes) == [.removed, .presence(house.online)])
    }

    @Test func readersAreAloneWithTheirScope() async throws {
        let other = live.changes(of: .device(try DeviceID("d-2")))
        let own = live.changes(of: .device(house.device))
        hear(.presence(house.online))
        #expect(await read(own) == [.presence(house.online)])
        #expect(await read(other).isEmpty)
    }

    @Test func aLostLinkIsToldWithTheDoubtItBrings() async {
        hear(.presence(house.online))
        live.link(of: house.channel, is: .connected)
        let changes = live.changes()
        let loss = CommunicationError(.linkLost, "lost")
        live.link(of: house.channel, is: .lost(loss, retryIn: .seconds(1)))
        #expect(await read(changes) == [.doubt])
        #expect(live.links[house.channel]?.isConnected == false)
    }

    @Test func aReaderThatWaitsGetsTheNextChange() async {
        let changes = live.changes()
        async let first = changes.first { if case .device = $0 { true } else { false } }
        hear(.presence(house.online))
        guard case .device(let change)? = await first else {
            Issue.record("the reader got nothing")
            return
        }
        #expect(change.content == .presence(house.online))
    }

    @Test func aCancelledReaderEnds() async {
        let changes = live.changes()
        let reading = Task { for await _ in changes {} }
        reading.cancel()
        await reading.value
    }
}

extension EventName {
    fileprivate static var stuck: EventName {
        guard let name = EventName(rawValue: "stuck") else { preconditionFailure("a valid name") }
        return name
    }
}
