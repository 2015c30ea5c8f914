import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// Rule 6 of PROTOCOL section 3: what is durable before what is said.
@Suite struct RecordOrderTests {
    @Test func settingIsRecordedBeforeItIsSaid() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("set-suction-level", ["level": "max"])
        let actions = bench.give(order)
        #expect(
            actions.outline == [
                "record entered", "ack accepted 1", "record sequenced", "record started",
                "record finished with state", "state 2", "ack succeeded 2",
            ])
        let final = try #require(actions.acks.last)
        #expect(final.revision == 2 && final.executions == 1)
        #expect(actions.states.first?.by == order.id)
    }

    @Test func actionIsRecordedBeforeItIsSaid() throws {
        var bench = try DeviceBench("sweeper-s1")
        let start = bench.give(try Order("move-to", ["x": 1, "y": 3]))
        #expect(
            start.outline == [
                "record entered", "ack accepted 1", "record started", "record state", "state 2",
            ])
        bench.log = []
        let rest = bench.pass(.seconds(120)).outline.filter {
            !$0.hasPrefix("telemetry") && $0 != "record memory"
        }
        #expect(Array(rest.prefix(2)) == ["record progressed", "ack progress 2"])
        let end = rest.drop { $0 != "record finished with state" }
        #expect(end.count == 3 && Array(end)[1] == "state 3")
        #expect(end.last?.hasPrefix("ack succeeded") == true)
    }

    @Test func settingWithoutChangeKeepsTheRevision() throws {
        var bench = try DeviceBench("sweeper-s1")
        let actions = bench.give(try Order("set-suction-level", ["level": "balanced"]))
        #expect(actions.acks.last?.revision == 1)
        #expect(actions.states.isEmpty)
    }

    @Test func finalOfAnActionCarriesTheRevisionOfItsEndState() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("clean-spot", ["x": 4, "y": 3])
        bench.give(order)
        bench.pass(.seconds(400))
        let final = try #require(bench.acks(of: order).last)
        #expect(final.stage == .succeeded)
        let contained = try #require(bench.log.states.first { $0.revision == final.revision })
        #expect(contained.state["activity"] == "returning")
        #expect(contained.by == order.id)
    }

    @Test func twoAcksOfOneCommandAreNumberedOnByOne() throws {
        var bench = try DeviceBench("sweeper-s1")
        let order = try Order("start-cleaning", ["rooms": [5]])
        bench.give(order)
        bench.pass(.seconds(600))
        let acks = bench.acks(of: order)
        #expect(acks.map(\.n) == Array(1...acks.count))
        #expect(acks.last?.stage == .succeeded)
        let percents = acks.compactMap(\.percent)
        #expect(percents == percents.sorted() && percents.count > 5)
    }
}

extension [DeviceAction] {
    /// What happens, in words.
    var outline: [String] { map(\.outline) }
}

extension DeviceAction {
    /// What happens, in words.
    var outline: String {
        switch self {
        case .record(let record): "record \(record.outline)"
        case .made: "made"
        case .count(let counter): "count \(counter.rawValue)"
        case .dropConnection: "drop connection"
        case .connect: "connect"
        case .resetConnection: "reset connection"
        case .changeLink: "change link"
        case .restart: "restart"
        case .publish(.ack(let ack, _), _): "ack \(ack.stage.rawValue) \(ack.n)"
        case .publish(.state(let state), _): "state \(state.revision)"
        case .publish(.telemetry(let sample), _): "telemetry \(sample.message?.n ?? 0)"
        case .publish(.presence(let presence), _): "presence \(presence.report.status.rawValue)"
        case .publish(.description, _): "description"
        case .publish(.event(let event), _): "event \(event.event.text)"
        case .publish(.altered(let message, _), _): "altered " + Self.publish(message).outline
        }
    }
}

extension JournalRecord {
    /// The kind of record, in words.
    var outline: String {
        switch self {
        case .committed: "committed"
        case .entered: "entered"
        case .started: "started"
        case .progressed: "progressed"
        case .finished(_, let state): state == nil ? "finished" : "finished with state"
        case .confirmed: "confirmed"
        case .evicted: "evicted"
        case .promised: "promised"
        case .released: "released"
        case .sequenced: "sequenced"
        case .state: "state"
        case .memory: "memory"
        case .lost: "lost"
        }
    }
}
