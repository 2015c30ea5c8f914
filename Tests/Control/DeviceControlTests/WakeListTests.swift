import DeviceControl
import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

/// Which tasks sleep, and what they find when they wake.
@Suite struct WakeListTests {
    private var generator = SeededGenerator(seed: 11)
    private var list = WakeList<CommandID>()

    private mutating func makeID() -> CommandID {
        CommandID(at: Timestamp(milliseconds: 0), using: &generator)
    }

    @Test mutating func oneTaskSleepsForCommandsThatAreDueOneAfterTheOther() {
        let sleeps = (1...1_000).map { list.add(makeID(), at: .seconds($0)) }
        #expect(sleeps.filter(\.self).count == 1)
        let (due, next) = list.sleepEnded(at: .seconds(3)) { _ in true }
        #expect(due.map(\.due) == [.seconds(1), .seconds(2), .seconds(3)])
        #expect(next == .seconds(4))
    }

    @Test mutating func anEarlierWakeNeedsASleepOfItsOwnAndTheLaterSleepGoesOn() {
        let isLateSlept = list.add(makeID(), at: .seconds(600))
        let isEarlySlept = list.add(makeID(), at: .seconds(1))
        #expect(isLateSlept && isEarlySlept)
        let ends = [1, 600, 601].map { list.sleepEnded(at: .seconds($0)) { _ in true } }
        #expect(ends.map(\.due.count) == [1, 1, 0])
        #expect(ends.allSatisfy { $0.next == nil })
    }

    @Test mutating func noTaskSleepsForWhatNobodyWantsAnyMore() {
        let ids = (1...1_000).map { _ in makeID() }
        for (second, id) in ids.enumerated() { _ = list.add(id, at: .seconds(second)) }
        let wanted = Set([ids[1], ids[900]])
        let (due, next) = list.sleepEnded(at: .seconds(3)) { wanted.contains($0.sleeper) }
        #expect(due.map(\.sleeper) == [ids[1]])
        #expect(next == .seconds(900))
    }

    /// Plays the tasks: each sleep ends at its time.
    @Test(arguments: 0..<50) mutating func everyCommandIsWokenOnceAtItsTime(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var sleeps: [Duration] = []
        var expected: [CommandID: Duration] = [:]
        var now = Duration.zero
        for _ in 0..<40 {
            let due = now + .milliseconds(Int.random(in: 1...500, using: &random))
            let id = makeID()
            expected[id] = due
            if list.add(id, at: due) { sleeps.append(due) }
            guard Bool.random(using: &random), let end = sleeps.min() else { continue }
            now = end
            endSleep(at: end, &sleeps, &expected)
        }
        while let end = sleeps.min() { endSleep(at: end, &sleeps, &expected) }
        #expect(expected.isEmpty)
    }

    private mutating func endSleep(
        at end: Duration, _ sleeps: inout [Duration], _ expected: inout [CommandID: Duration]
    ) {
        sleeps.remove(at: sleeps.firstIndex(of: end) ?? 0)
        let (due, next) = list.sleepEnded(at: end) { _ in true }
        for wake in due { #expect(expected.removeValue(forKey: wake.sleeper) == end) }
        if let next { sleeps.append(next) }
    }
}
