import Basics
import Testing

@Suite(.timeLimit(.minutes(1))) struct AnswerSlotTests {
    @Test func anAnswerThatCameBeforeTheWaitIsKept() async {
        let slot = AnswerSlot<Int>()
        slot.resolve(1)
        slot.resolve(2)
        #expect(await slot.value(ifCancelled: 0) == 1)
    }

    @Test func cancellingTheTaskEndsTheWait() async {
        let slot = AnswerSlot<Int>()
        let waiting = Task { await slot.value(ifCancelled: -1) }
        waiting.cancel()
        #expect(await waiting.value == -1)
        slot.resolve(3)
    }
}
