/// A task executor that runs tasks on the thread of an event loop.
///
/// Within `withTaskExecutorPreference(_:isolation:operation:)` all code without another executor runs on the
/// loop's thread, so that calls to a client there need no thread switch. Such code must not block, because
/// the loop's connections wait for it.
public final class MQTTLoopTaskExecutor: TaskExecutor {
    private let eventLoop: MQTTEventLoop

    public init(_ eventLoop: MQTTEventLoop) { self.eventLoop = eventLoop }

    public func enqueue(_ job: consuming ExecutorJob) {
        eventLoop.submit(.task(UnownedJob(job), asUnownedTaskExecutor()))
    }
}
