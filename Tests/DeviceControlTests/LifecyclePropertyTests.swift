import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// Random interleavings of a device, a link, crashes and time, by seed. The model device executes
/// what reaches it, so that the controller's verdict can be held against the truth.
@Suite struct LifecyclePropertyTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func theVerdictNeverContradictsTheDevice(_ block: UInt64) throws {
        for seed in (block * 200)..<((block + 1) * 200) { try check(seed) }
    }

    private func check(_ seed: UInt64) throws {
        var world = try LifecycleWorld(seed: seed)
        world.live()
        let progress = world.bench.lifecycle.progress
        #expect(progress.state.isSettled, "I1: no command is left open, seed \(seed)")
        #expect(world.executions <= 1, "I2")
        switch progress.state {
        case .succeeded: #expect(world.executions == 1, "I3, seed \(seed)")
        case .rejected, .refused, .expired, .cancelled, .superseded:
            #expect(world.executions == 0, "I4: \(progress.state), seed \(seed)")
        case .failed, .unknown: break
        case .created, .queued, .sending, .sent, .accepted, .running:
            Issue.record("an open state, seed \(seed)")
        }
    }
}

/// A device that follows PROTOCOL section 3, a link that loses things, and one command.
private struct LifecycleWorld {
    var bench: LifecycleBench
    private(set) var executions = 0
    private var random: SeededGenerator
    private var stored: AckMessage?
    private var refusesLateComers = false
    private var wire: [AckMessage] = []
    private var asked = false
    private var handedOver = 0
    private var isLinkUp = true

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        let sorts: [CommandSort] = [.action, .instant, .setting]
        bench = try LifecycleBench(sort: sorts[Int(seed % 3)], seed: seed)
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
        switch Int.random(in: 0..<14, using: &random) {
        case 0: changeLink(to: true)
        case 1: changeLink(to: false)
        case 2, 3: arrive(confirmed: true)
        case 4: arrive(confirmed: false)
        case 5: loseOnTheWay()
        case 6, 7: deliverAck()
        case 8: duplicateAck()
        case 9: if !wire.isEmpty { wire.removeLast() }
        case 10: advanceDevice()
        case 11: answerQuestion()
        case 12: crash()
        default: pass(.milliseconds(Int.random(in: 1...4_000, using: &random)))
        }
    }

    /// Lets the faults end: the link works and the device answers when it is asked.
    private mutating func settle() {
        for _ in 0..<200 where !bench.state.isSettled {
            changeLink(to: true)
            if handedOver > 0 { arrive(confirmed: true) }
            while !wire.isEmpty { deliverAck() }
            if asked { answerQuestion() }
            advanceDevice()
            pass(.seconds(5))
        }
    }

    private mutating func act(on actions: [LifecycleAction]) {
        for action in actions {
            switch action {
            case .publish: handedOver += 1
            case .ask: asked = true
            case .record, .report: break
            }
        }
    }

    private mutating func changeLink(to isUp: Bool) {
        isLinkUp = isUp
        if !isUp { loseOnTheWay() }
        act(on: bench.handle(.reach(isUp ? .reachable : .linkDown)))
    }

    private mutating func arrive(confirmed: Bool) {
        guard handedOver > 0, isLinkUp else { return }
        handedOver = 0
        receiveCommand()
        let result = confirmed ? SendResult.receipt(.confirmed) : .lostOnTheWay("puback lost")
        act(on: bench.handle(.sendEnded(result)))
    }

    private mutating func loseOnTheWay() {
        guard handedOver > 0 else { return }
        handedOver = 0
        act(on: bench.handle(.sendEnded(.lostOnTheWay("lost"))))
    }

    private mutating func receiveCommand() {
        if let stored {
            wire.append(stored.replayed)
        } else if refusesLateComers {
            wire.append(bench.ack(.rejected, code: .staleSession))
        } else if bench.moment.elapsed >= .seconds(30) {
            say(bench.ack(.expired, code: .expired))
        } else {
            executions += 1
            say(bench.ack(.accepted))
        }
    }

    private mutating func say(_ ack: AckMessage) {
        stored = ack
        wire.append(ack)
    }

    private mutating func advanceDevice() {
        guard let last = stored, !last.isFinal else { return }
        let ends = Bool.random(using: &random)
        say(bench.ack(ends ? .succeeded : .progress, n: last.n + 1, result: ["n": 1]))
    }

    private mutating func deliverAck() {
        guard isLinkUp, !wire.isEmpty else { return }
        let ack = wire.remove(at: Int.random(in: 0..<wire.count, using: &random))
        act(on: bench.handle(.ack(ack)))
    }

    private mutating func duplicateAck() {
        if let ack = wire.randomElement(using: &random) { wire.append(ack) }
    }

    private mutating func answerQuestion() {
        guard asked else { return }
        asked = false
        guard isLinkUp, Bool.random(using: &random) else {
            act(on: bench.handle(.answer(.none)))
            return
        }
        if stored == nil { refusesLateComers = true }
        let answer = stored.map { InquiryAnswer.known($0.replayed) } ?? .never
        act(on: bench.handle(.answer(answer)))
    }

    /// The controller dies after its last record and another process takes over.
    private mutating func crash() {
        guard Int.random(in: 0..<4, using: &random) == 0 else { return }
        if handedOver > 0, Bool.random(using: &random) { receiveCommand() }
        handedOver = 0
        asked = false
        isLinkUp = Bool.random(using: &random)
        bench = bench.afterCrash()
        guard !bench.state.isSettled else { return }
        act(on: bench.handle(.adopted(isLinkUp ? .reachable : .linkDown)))
    }

    private mutating func pass(_ time: Duration) { act(on: bench.pass(time)) }
}
