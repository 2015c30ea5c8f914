import MQTTClient
import Testing

@Suite(.timeLimit(.minutes(1))) struct LoopTaskExecutorTests {
    /// An actor without an executor of its own.
    private actor Bystander {
        func isCurrent(_ loop: MQTTEventLoop) -> Bool { loop.isCurrent }
    }

    @Test func whatPrefersTheLoopRunsOnItsThreadAndNothingElseDoes() async throws {
        let loop = try MQTTEventLoop(label: "preferred")
        let bystander = Bystander()
        let (inside, inActor, inChild) = await withTaskExecutorPreference(
            MQTTLoopTaskExecutor(loop)
        ) {
            async let child = loop.isCurrent
            return (loop.isCurrent, await bystander.isCurrent(loop), await child)
        }
        #expect(inside)
        #expect(inActor)
        #expect(inChild)
        #expect(!loop.isCurrent)
        #expect(await !bystander.isCurrent(loop))
        await loop.shutdown()
    }

    @Test func whatPrefersALoopThatHasEndedStillRuns() async throws {
        let loop = try MQTTEventLoop(label: "ended")
        await loop.shutdown()
        let value = await withTaskExecutorPreference(MQTTLoopTaskExecutor(loop)) { 7 }
        #expect(value == 7)
    }
}
