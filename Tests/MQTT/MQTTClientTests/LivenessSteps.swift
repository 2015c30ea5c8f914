import TestSupport
import Testing

@testable import MQTTClient

// The steps that the tests of a silent, slow or closing connection share.

extension TestOwner {
    /// Begins to close, and gives the report when it is there.
    func beginClosing(
        drainingFor limit: Duration
    ) throws -> AsyncStream<MQTTDrainReport> {
        let (reports, sink) = AsyncStream.makeStream(of: MQTTDrainReport.self)
        try with { connection in
            connection.close(drainingFor: limit) { sink.yield($0) }
        }
        return reports
    }
}

extension MQTTConnection {
    /// Publishes, and reports the error if it fails.
    func publishing(_ message: MQTTMessage) -> AsyncStream<MQTTError> {
        let (errors, sink) = AsyncStream.makeStream(of: MQTTError.self)
        publish(message) { result in
            if case .failure(let error) = result { sink.yield(error) }
            sink.finish()
        }
        return errors
    }
}

extension MQTTClient {
    /// One by one, so that only data that the socket did not accept is queued.
    func publishUntilTheSocketIsFull(_ message: MQTTMessage) async {
        while !eventLoop.core.connections.drivers.contains(where: {
            $0.socket.handle?.hasUnsent == true
        }) {
            publishWithoutWaiting(message)
            await Task.yield()
        }
    }

    /// Waits until the socket takes no more.
    func backlogged() async {
        while !Task.isCancelled, !isBacklogged { await Task.yield() }
    }

    /// Advances the time of the loop; timers that are due have run.
    func pass(_ time: Duration, _ clock: ManualLoopClock) async {
        await withCheckedContinuation { continuation in
            eventLoop.schedule(after: time) { continuation.resume() }
            clock.advance(by: time)
        }
    }

    /// Lets the broker read no sooner than a ping of a keep-alive of two seconds has become due behind all
    /// that waits.
    func readAfterAPing(by broker: FakeBroker, _ clock: ManualLoopClock) async {
        await backlogged()
        await pass(.milliseconds(2_400), clock)
        broker.proceed()
    }

    private var isBacklogged: Bool {
        eventLoop.core.connections.drivers.contains { $0.socket.interest.contains(.write) }
    }
}
