import MQTTClient

/// The wakes of a shard's homes, and the loop's one timer for the earliest of them.
struct WakeTimer {
    private var queue: WakeQueue
    private var timer: MQTTTimer?
    private var armed: Duration?

    init(homes: Int) { queue = WakeQueue(homes: homes) }

    /// When the earliest wake is due (monotonic clock).
    var next: Duration? {
        mutating get { queue.next }
    }

    /// Replaces the wake of a home; `nil` takes it away.
    mutating func set(_ due: Duration?, for home: Int) { queue.set(due, for: home) }

    /// Takes out the earliest wake that is due by `now`.
    mutating func popDue(by now: Duration) -> Int? { queue.popDue(by: now) }

    /// Notes that the timer has fired.
    mutating func fired() { armed = nil }

    /// Cancels the timer; no wake comes any more until ``arm(on:at:_:)``.
    mutating func cancel() {
        timer?.cancel()
        (timer, armed) = (nil, nil)
    }

    /// Sets the timer to the earliest wake, unless it fires early enough.
    mutating func arm(
        on eventLoop: MQTTEventLoop, at now: Duration, _ body: @escaping @Sendable () -> Void
    ) {
        guard let next = queue.next else { return }
        if let armed, armed <= next { return }
        timer?.cancel()
        armed = next
        timer = eventLoop.schedule(after: max(next - now, .zero), body)
    }
}
