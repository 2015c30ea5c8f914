import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// What the rules make of a command, before anything is done about it.
@Suite struct CommandRulesTests {
    private func ruling(_ order: Order, of bench: DeviceBench) -> String {
        let command = PendingCommand(
            message: order.message,
            arrival: ArrivedCommand(
                payload: order.payload, isRetained: false, responseTopic: nil, lane: .normal))
        return switch CommandRules(of: bench.device).ruling(on: command) {
        case .repeated(let entry): "repeated \(entry.ack.verdict)"
        case .answered(let verdict): "answered \(verdict.stage.rawValue)/\(verdict.code.rawValue)"
        case .dropped(let counter): "dropped \(counter.rawValue)"
        case .ended(let verdict): "ended \(verdict.stage.rawValue)/\(verdict.code.rawValue)"
        case .carriedOut(let specification): "carried out \(specification.name.rawValue)"
        }
    }

    @Test func aRulingChangesNothing() throws {
        let bench = try DeviceBench("sweeper-s1")
        let order = try Order("set-suction-level", ["level": "max"])
        for _ in 0..<2 { #expect(ruling(order, of: bench) == "carried out set-suction-level") }
        #expect(bench.device.journal.entries.isEmpty)
    }

    @Test func theSameBytesAreRepeatedAndOthersRefused() throws {
        var bench = try DeviceBench("sweeper-s1")
        var order = try Order("locate")
        bench.give(order)
        #expect(ruling(order, of: bench) == "repeated succeeded/OK")
        order.message.sequence += 1
        #expect(ruling(order, of: bench) == "answered rejected/ID_REUSED")
    }

    @Test func aLateCommandExpiresUnlessItMayHaveRun() throws {
        var bench = try DeviceBench("sweeper-s1")
        let late = try Order("locate", valid: .seconds(1))
        let evicted = try Order("locate", valid: .seconds(1))
        bench.give(evicted)
        bench.confirmAll()
        bench.clock.pass(.seconds(10))
        bench.give(try Order("locate", at: bench.clock.wire))
        #expect(ruling(late, of: bench) == "ended expired/EXPIRED")
        bench.clock.pass(.seconds(4000))
        bench.give(try Order("locate", at: bench.clock.wire))
        #expect(bench.device.journal.watermarks[evicted.message.controller] == evicted.id)
        #expect(ruling(evicted, of: bench) == "dropped evicted-command")
    }

    @Test func whatWasCalledNeverIsRefused() throws {
        var bench = try DeviceBench("sweeper-s1")
        let lost = try Order("locate")
        bench.give(try Order("query-commands", ["ids": [.string(lost.id.text)]]))
        #expect(ruling(lost, of: bench) == "ended rejected/STALE_SESSION")
    }

    @Test func anOlderValueOfASettingIsOvertakenAndADryRunIsNot() throws {
        var bench = try DeviceBench("sweeper-s1")
        bench.give(try Order("set-suction-level", ["level": "max"], sequence: 5))
        let older = try Order("set-suction-level", ["level": "quiet"], sequence: 4)
        #expect(ruling(older, of: bench) == "ended superseded/SUPERSEDED")
        let dry = try Order("set-suction-level", ["level": "quiet"], sequence: 4, dryRun: true)
        #expect(ruling(dry, of: bench) == "ended succeeded/OK")
        let unknown = try Order("fly")
        #expect(ruling(unknown, of: bench) == "ended rejected/UNKNOWN_COMMAND")
    }
}
