import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// The normal lane as a value.
@Suite struct ActionLaneTests {
    private let clock = BenchClock()

    private func item(
        _ name: String, valid: Duration = .seconds(60), progress: Duration = .seconds(10)
    ) throws -> ActionLane.Item {
        let order = try Order(name)
        return ActionLane.Item(
            command: CommandKey(controller: order.message.controller, id: order.id),
            request: BehaviourRequest(order.message.name),
            expiresAt: clock.wire.advanced(by: valid), nextProgress: clock.monotonic + progress)
    }

    private func lane(running: ActionLane.Item, waiting: [ActionLane.Item]) -> ActionLane {
        var lane = ActionLane()
        lane.running = running
        for item in waiting { lane.enqueue(item) }
        return lane
    }

    @Test func anActionThatWaitsSaysBehindWhat() throws {
        var lane = ActionLane()
        #expect(lane.acceptance(of: .action, admitted: .queued).message == "")
        lane.running = try item("move-to")
        var messages: [String] = []
        for name in ["clean-spot", "start-cleaning", "move-to"] {
            messages.append(lane.acceptance(of: .action, admitted: .queued).message)
            lane.enqueue(try item(name))
        }
        #expect(
            messages == [
                "waits behind move-to", "waits behind move-to and clean-spot",
                "waits behind move-to and 2 others",
            ])
        #expect(lane.acceptance(of: .action, admitted: .atOnce) == .accepted)
        #expect(lane.acceptance(of: .instant, admitted: .queued) == .accepted)
    }

    @Test func whatIsEndedEndsInTheOrderOfTheLane() throws {
        let items = try ["move-to", "clean-spot", "start-cleaning"].map { try item($0) }
        var lane = lane(running: items[0], waiting: Array(items[1...]))
        let endings = lane.takeAll(because: .stop, ending: .cancelled(by: .stop))
        #expect(endings.map(\.command) == items.map(\.command))
        #expect(endings.map(\.verdict.stage) == [.cancelled, .superseded, .superseded])
        #expect(lane == ActionLane())
        let nothing = lane.takeAll(because: .stop, ending: .cancelled(by: .stop))
        #expect(nothing.isEmpty)
    }

    @Test func anActionEndsByItselfOnce() throws {
        let items = try ["move-to", "clean-spot"].map { try item($0) }
        var lane = lane(running: items[0], waiting: [items[1]])
        let end = BehaviourOccurrence.actionEnded(.failed(.stuck, message: "free it"))
        let none = lane.takeEnd(in: [.event(.docked, detail: [:])])
        #expect(none == nil && lane.running == items[0])
        let ending = lane.takeEnd(in: [.event(.stuck, detail: [:]), end])
        #expect(ending == CommandEnding(items[0].command, .failed(.stuck, "free it")))
        let again = lane.takeEnd(in: [end])
        #expect(again == nil && lane.waiting == [items[1]])
    }

    @Test func waitingActionsExpireAndTheRunningOneDoesNot() throws {
        let items = try [5, 5, 20].map { try item("move-to", valid: .seconds($0)) }
        var lane = lane(running: items[0], waiting: Array(items[1...]))
        let early = lane.takeExpired(at: clock.wire.advanced(by: .seconds(5)))
        let expired = lane.takeExpired(at: clock.wire.advanced(by: .seconds(6)))
        #expect(early.isEmpty && expired == [CommandEnding(items[1].command, .lateStart)])
        #expect(lane.running == items[0] && lane.waiting == [items[2]])
    }

    @Test func itIsDueWithTheNextProgressOrTheEndOfAWait() throws {
        let running = try item("move-to", valid: .seconds(1))
        var lane = lane(running: running, waiting: [])
        #expect(ActionLane().nextDue(at: clock.now) == nil)
        #expect(lane.nextDue(at: clock.now) == clock.monotonic + .seconds(10))
        lane.enqueue(try item("move-to", valid: .seconds(4), progress: .seconds(12)))
        #expect(lane.nextDue(at: clock.now) == clock.monotonic + .milliseconds(4001))
    }
}
