import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// Random interleavings of a device, a link, crashes and time, by seed, on channels with and
/// without each trait. The model device executes what reaches it, so that the controller's verdict
/// can be held against the truth.
@Suite struct LifecyclePropertyTests {
    static let channels: [ChannelTraits] = [
        .all, .all(but: .deduplication), .all(but: .asking), .all(but: .delivery),
        .all(but: .deduplication, .asking), [.delivery, .effect], [.delivery, .acceptance],
        [.delivery], [],
    ]

    @Test(arguments: channels, 0..<8 as Range<UInt64>)
    func theVerdictNeverContradictsTheDevice(_ traits: ChannelTraits, _ block: UInt64) throws {
        for seed in (block * 200)..<((block + 1) * 200) { try check(seed, traits) }
    }

    private func check(_ seed: UInt64, _ traits: ChannelTraits) throws {
        var world = try LifecycleWorld(seed: seed, traits: traits)
        world.live()
        let progress = world.bench.lifecycle.progress
        #expect(progress.state.isSettled, "I1: no command is left open, seed \(seed)")
        #expect(world.executions <= 1, "I2: nothing is done twice, seed \(seed)")
        switch progress.state {
        case .succeeded: #expect(world.executions == 1, "I3, seed \(seed)")
        case .rejected, .refused, .expired, .cancelled, .superseded:
            #expect(world.executions == 0, "I4: \(progress.state), seed \(seed)")
        case .failed, .unknown: break
        case .created, .queued, .sending, .sent, .accepted, .running:
            Issue.record("an open state, seed \(seed)")
        }
        if !traits.contains(.deduplication) {
            #expect(world.departures <= 1, "I5: what may have left is not sent again, seed \(seed)")
        }
        if !traits.contains(.asking) { #expect(!world.wasAsked, "I6, seed \(seed)") }
    }
}

/// A device that follows PROTOCOL section 3 as far as its channel can, a link that loses things,
/// and one command.
private struct LifecycleWorld {
    var bench: LifecycleBench
    private(set) var executions = 0
    /// How many sends may have left.
    private(set) var departures = 0
    private(set) var wasAsked = false
    private let traits: ChannelTraits
    private var random: SeededGenerator
    private var stored: CommandEvidence?
    private var refusesLateComers = false
    private var wire: [CommandEvidence] = []
    private var asked = false
    private var waitsForTurn = false
    private var handedOver = false
    private var isLinkUp = true

    init(seed: UInt64, traits: ChannelTraits) throws {
        random = SeededGenerator(seed: seed)
        self.traits = traits
        let sorts: [CommandSort] = [.action, .instant, .setting]
        bench = try LifecycleBench(sort: sorts[Int(seed % 3)], traits: traits, seed: seed)
        bench.isLaneFree = false
        act(on: bench.handle(.enqueued(.offline)))
    }

    /// Some steps, then in half of the worlds a long silence.
    mutating func live() {
        for _ in 0..<Int.random(in: 3...60, using: &random) { step() }
        if Bool.random(using: &random) {
            changeLink(to: false)
            pass(.seconds(Int.random(in: 20...100, using: &random)))
        }
        settle()
    }

    private mutating func step() {
        switch Int.random(in: 0..<17, using: &random) {
        case 0: changeLink(to: true)
        case 1: changeLink(to: false)
        case 2, 3: arrive(confirmed: true)
        case 4: arrive(confirmed: false)
        case 5: loseOnTheWay()
        case 6, 7: deliverEvidence()
        case 8: duplicateEvidence()
        case 9: if !wire.isEmpty { wire.removeLast() }
        case 10: advanceDevice()
        case 11: answerQuestion()
        case 12: crash()
        case 13, 14: takeTurn()
        case 15: refuseHandOver()
        default: pass(.milliseconds(Int.random(in: 1...4_000, using: &random)))
        }
    }

    /// Lets the faults end: the link works and the device answers when it is asked.
    private mutating func settle() {
        for _ in 0..<200 where !bench.state.isSettled {
            changeLink(to: true)
            takeTurn()
            if handedOver { arrive(confirmed: true) }
            while !wire.isEmpty { deliverEvidence() }
            if asked { answerQuestion() }
            advanceDevice()
            pass(.seconds(5))
        }
    }

    private mutating func act(on actions: [LifecycleBench.Step]) {
        for action in actions {
            switch action {
            case .getInLine: waitsForTurn = true
            case .publish: handedOver = true
            case .perform(.ask):
                asked = true
                wasAsked = true
            case .record, .perform(.report), .perform(.readSettings): break
            }
        }
    }

    private mutating func takeTurn() {
        guard waitsForTurn else { return }
        waitsForTurn = false
        act(on: bench.takeTurn())
    }

    private mutating func changeLink(to isUp: Bool) {
        isLinkUp = isUp
        if !isUp { loseOnTheWay() }
        act(on: bench.handle(.reach(isUp ? .reachable : .linkDown(""))))
    }

    private mutating func arrive(confirmed: Bool) {
        guard handedOver, isLinkUp else { return }
        handedOver = false
        departures += 1
        receiveCommand()
        let result = confirmed ? SendResult.receipt(.confirmed) : .mayHaveLeft("receipt lost")
        act(on: bench.handle(.sendEnded(result)))
    }

    private mutating func loseOnTheWay() {
        guard handedOver else { return }
        handedOver = false
        departures += 1
        act(on: bench.handle(.sendEnded(.mayHaveLeft("lost"))))
    }

    /// The link proves that nothing left.
    private mutating func refuseHandOver() {
        guard handedOver else { return }
        handedOver = false
        let results: [SendResult] = [.neverLeft("no link"), .receipt(.noReceiver)]
        act(on: bench.handle(.sendEnded(results[Int.random(in: 0...1, using: &random)])))
    }

    private mutating func receiveCommand() {
        if let stored, traits.contains(.deduplication) {
            var replay = stored
            replay.isReplay = true
            say(replay)
        } else if refusesLateComers {
            say(bench.ack(.rejected, code: .staleSession))
        } else if bench.moment.elapsed >= .seconds(30), traits.contains(.expiry) {
            record(bench.ack(.expired, code: .expired))
        } else {
            executions += 1
            record(bench.ack(.accepted))
            if traits.contains(.effect), !traits.contains(.acceptance) {
                wire.append(bench.readBack())
            }
        }
    }

    private mutating func record(_ evidence: CommandEvidence) {
        stored = evidence
        say(evidence)
    }

    private mutating func say(_ evidence: CommandEvidence) {
        if traits.contains(.acceptance) { wire.append(evidence) }
    }

    private mutating func advanceDevice() {
        guard let last = stored, !last.isFinal else { return }
        let ends = Bool.random(using: &random)
        record(bench.ack(ends ? .succeeded : .progress, n: (last.n ?? 0) + 1, result: ["n": 1]))
    }

    private mutating func deliverEvidence() {
        guard isLinkUp, !wire.isEmpty else { return }
        let evidence = wire.remove(at: Int.random(in: 0..<wire.count, using: &random))
        act(on: bench.handle(.evidence(evidence)))
    }

    private mutating func duplicateEvidence() {
        if let evidence = wire.randomElement(using: &random) { wire.append(evidence) }
    }

    private mutating func answerQuestion() {
        guard asked else { return }
        asked = false
        guard isLinkUp, Bool.random(using: &random) else {
            act(on: bench.handle(.answer(.none("no answer"))))
            return
        }
        if stored == nil { refusesLateComers = true }
        let answer = stored.map { RecordedOutcome.known($0) } ?? .never
        act(on: bench.handle(.answer(.told(answer))))
    }

    /// The controller dies after its last record and another process takes over.
    private mutating func crash() {
        guard Int.random(in: 0..<4, using: &random) == 0 else { return }
        if handedOver {
            departures += 1
            if Bool.random(using: &random) { receiveCommand() }
        }
        handedOver = false
        waitsForTurn = false
        asked = false
        isLinkUp = Bool.random(using: &random)
        bench = bench.afterCrash()
        guard !bench.state.isSettled else { return }
        act(on: bench.handle(.adopted(isLinkUp ? .reachable : .linkDown(""))))
    }

    private mutating func pass(_ time: Duration) { act(on: bench.pass(time)) }
}
