internal import Basics

/// A pending call of ``MQTTEventLoop/schedule(after:_:)``.
public final class MQTTTimer: Sendable {
    private let body: Guarded<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = Guarded(body)
    }

    /// Prevents the call if it has not begun. Callable from any thread, any number of times.
    public func cancel() {
        let cancelled = body.withLock { $0.take() }
        _ = cancelled
    }

    var isCancelled: Bool { body.withLock { $0 == nil } }

    func fire() {
        let body = body.withLock { $0.take() }
        body?()
    }
}
