/// Lets tasks prefer the thread of an event loop.
///
/// Within `withTaskExecutorPreference(_:isolation:operation:)` everything that is not bound to
/// another executor runs on the loop's thread, so that a call to a client there, and its answer,
/// change no thread. Such code must not block: the loop's connections wait for it.
public final class MQTTLoopTaskExecutor: TaskExecutor {
    private let eventLoop: MQTTEventLoop

    public init(_ eventLoop: MQTTEventLoop) { self.eventLoop = eventLoop }

    public func enqueue(_ job: consuming ExecutorJob) {
        eventLoop.submit(.task(UnownedJob(job), asUnownedTaskExecutor()))
    }
}
