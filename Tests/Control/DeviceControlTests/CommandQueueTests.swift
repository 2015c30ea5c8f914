import DeviceControl
import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

@Suite struct CommandQueueTests {
    private var queue = CommandQueue()
    private var generator = SeededGenerator(seed: 1)

    @Test mutating func aCommandThatIsReadyHasItsTurn() {
        let id = command()
        #expect(place(id, 1, .ready) == [.turn(id, .normal)])
        #expect(queue.count == 0)
    }

    @Test mutating func oneCommandIsUnderWayAtATime() {
        let (first, second) = (command(), command())
        #expect(place(first, 1, .ready) == [.turn(first, .normal)])
        #expect(place(second, 2, .ready) == [])
        #expect(queue.handle(.turnEnded, in: .normal) == [.turn(second, .normal)])
        #expect(queue.handle(.turnEnded, in: .normal) == [])
    }

    @Test mutating func theUrgentLaneDoesNotWaitForTheNormalOne() {
        let (slow, urgent) = (command(), command())
        #expect(place(slow, 1, .ready) == [.turn(slow, .normal)])
        let actions = queue.handle(.placed(urgent, sequence: 2, .ready), in: .urgent)
        #expect(actions == [.turn(urgent, .urgent)])
    }

    @Test mutating func whatWasWantedAfterAnUrgentCommandLeavesAfterIt() {
        let (stop, pause, start) = (command(), command(), command())
        _ = queue.handle(.placed(stop, sequence: 1, .waiting), in: .urgent)
        _ = queue.handle(.placed(pause, sequence: 2, .waiting), in: .urgent)
        #expect(place(start, 3, .ready) == [])
        let first = queue.handle(.placed(stop, sequence: 1, .ready), in: .urgent)
        #expect(first == [.turn(stop, .urgent)])
        #expect(queue.handle(.placed(pause, sequence: 2, .ready), in: .urgent) == [])
        #expect(queue.handle(.turnEnded, in: .urgent) == [.turn(pause, .urgent)])
        #expect(queue.handle(.turnEnded, in: .urgent) == [.turn(start, .normal)])
    }

    @Test mutating func anUrgentCommandThatComesBackHoldsWhatFollowsIt() {
        let (stop, start) = (command(), command())
        _ = queue.handle(.placed(stop, sequence: 1, .ready), in: .urgent)
        #expect(place(start, 2, .ready) == [], "the stop is under way")
        _ = queue.handle(.placed(stop, sequence: 1, .waiting), in: .urgent)
        #expect(queue.handle(.turnEnded, in: .urgent) == [])
        let withdrawn = queue.handle(.placed(stop, sequence: 1, .none), in: .urgent)
        #expect(withdrawn == [.turn(start, .normal)])
    }

    @Test mutating func aLaterCommandWaitsBehindAnEarlierOneThatWaits() {
        let (first, second) = (command(), command())
        #expect(place(first, 1, .waiting) == [])
        #expect(place(second, 2, .ready) == [])
        #expect(place(first, 1, .ready) == [.turn(first, .normal)])
        #expect(queue.handle(.turnEnded, in: .normal) == [.turn(second, .normal)])
    }

    @Test mutating func whoDoesNotWaitAnyMoreHoldsNobody() {
        let (first, second) = (command(), command())
        _ = place(first, 1, .waiting)
        _ = place(second, 2, .ready)
        #expect(place(first, 1, .none) == [.turn(second, .normal)])
    }

    @Test mutating func whatComesBackGoesFirstAgain() {
        let (first, second) = (command(), command())
        _ = place(first, 1, .ready)
        _ = place(second, 2, .ready)
        #expect(place(first, 1, .waiting) == [])
        #expect(queue.handle(.turnEnded, in: .normal) == [], "the second one waits")
        #expect(place(first, 1, .ready) == [.turn(first, .normal)])
    }

    @Test mutating func aCommandWaitsForThoseWhoseNumberMayBeLower() {
        let (slow, fast) = (command(), command())
        _ = queue.handle(.reserved(slow), in: .normal)
        _ = queue.handle(.reserved(fast), in: .normal)
        #expect(place(fast, 2, .ready) == [])
        #expect(place(slow, 1, .ready) == [.turn(slow, .normal)])
        #expect(queue.handle(.turnEnded, in: .normal) == [.turn(fast, .normal)])
    }

    @Test mutating func aLaterReservationHoldsNobody() {
        let (first, second) = (command(), command())
        _ = place(first, 1, .waiting)
        _ = queue.handle(.reserved(second), in: .normal)
        #expect(place(first, 1, .ready) == [.turn(first, .normal)])
    }

    @Test mutating func whatTheLedgerDoesNotTakeHoldsNobody() {
        let (lost, next) = (command(), command())
        _ = queue.handle(.reserved(lost), in: .normal)
        _ = queue.handle(.reserved(next), in: .normal)
        #expect(place(next, 1, .ready) == [])
        #expect(queue.handle(.withdrawn(lost), in: .normal) == [.turn(next, .normal)])
    }

    @Test mutating func whatIsStoredLeavesBeforeLaterCommands() {
        let (first, second) = (command(), command())
        _ = queue.handle(.stored(from: 1), in: .normal)
        #expect(place(second, 2, .ready) == [])
        #expect(queue.isIdle(.normal), "what is stored has to be read, although a later one waits")
        #expect(place(first, 1, .waiting) == [])
        #expect(!queue.isIdle(.normal))
        #expect(queue.handle(.stored(from: 3), in: .normal) == [])
        #expect(place(first, 1, .ready) == [.turn(first, .normal)])
        #expect(queue.handle(.turnEnded, in: .normal) == [.turn(second, .normal)])
        #expect(!queue.isIdle(.normal))
        #expect(queue.handle(.turnEnded, in: .normal) == [])
        #expect(queue.isIdle(.normal))
    }

    @Test mutating func whatWasWantedAfterAStoredUrgentCommandWaitsForIt() {
        let start = command()
        _ = queue.handle(.stored(from: 1), in: .urgent)
        #expect(place(start, 2, .ready) == [])
        #expect(queue.handle(.stored(from: nil), in: .urgent) == [.turn(start, .normal)])
    }

    /// In any order of events commands leave by their sequence, one at a time, and all of them.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func inAnyOrderCommandsLeaveBySequence(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = CommandQueue()
        let count = Int.random(in: 1...12, using: &random)
        let ids = (0..<count).map { _ in
            CommandID(at: Timestamp(milliseconds: 1), using: &random)
        }
        for id in ids { _ = queue.handle(.reserved(id), in: .normal) }
        for position in ids.indices.shuffled(using: &random) {
            let event = CommandQueue.Event.placed(ids[position], sequence: position, .waiting)
            #expect(queue.handle(event, in: .normal) == [])
        }
        var left: [CommandID] = []
        var underWay: CommandID?
        var unready = Array(ids.indices).shuffled(using: &random)
        while left.count < count {
            var actions: [CommandQueue.Action] = []
            if underWay == nil || Bool.random(using: &random), let last = unready.popLast() {
                let event = CommandQueue.Event.placed(ids[last], sequence: last, .ready)
                actions = queue.handle(event, in: .normal)
            } else if let ended = underWay {
                left.append(ended)
                underWay = nil
                actions = queue.handle(.turnEnded, in: .normal)
            } else {
                break
            }
            for case .turn(let id, _) in actions {
                #expect(underWay == nil, "one at a time")
                underWay = id
            }
        }
        #expect(left == ids)
        #expect(queue.count == 0)
    }

    private mutating func command() -> CommandID {
        CommandID(at: Timestamp(milliseconds: 1), using: &generator)
    }

    private mutating func place(_ id: CommandID, _ sequence: Int, _ place: QueuePlace)
        -> [CommandQueue.Action]
    {
        queue.handle(.placed(id, sequence: sequence, place), in: .normal)
    }
}
