private import CMosquittoShims
private import Glibc

/// One level-triggered `epoll`, and the `eventfd` with which other threads wake it.
final class Poller {
    /// The events that a descriptor is watched for.
    struct Interest: OptionSet {
        let rawValue: UInt8
        static let read = Self(rawValue: 1)
        static let write = Self(rawValue: 2)
    }

    /// The events that a descriptor reported. A broken descriptor counts as readable.
    struct Readiness {
        var token: UInt64
        var isReadable: Bool
        var isWritable: Bool
        var isBroken: Bool
    }

    /// The most descriptors that one ``wait(nanoseconds:)`` reports.
    static let capacity = 512

    private let descriptor: Int32
    /// Written by any thread.
    let wakeUp: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>
    /// How many waits in a row had as many events as one wait reports.
    private(set) var fullWaits = 0
    private static let wakeUpToken = UInt64.max

    init() throws(MQTTError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        events = .allocate(capacity: Self.capacity)
        events.initialize(repeating: epoll_event())
        guard descriptor >= 0, wakeUp >= 0,
            control(EPOLL_CTL_ADD, wakeUp, Self.wakeUpToken, .read) == 0
        else {
            throw MQTTError(
                .resourcesExhausted,
                "no descriptor for an event loop (\(MQTTError.text(of: errno))); raise the limit",
                systemError: errno)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if wakeUp >= 0 { close(wakeUp) }
        events.deallocate()
    }

    /// Watches a new descriptor; false if the system refuses.
    func add(_ socket: Int32, token: UInt64, interest: Interest) -> Bool {
        control(EPOLL_CTL_ADD, socket, token, interest) == 0
    }

    /// Changes the events that a descriptor is watched for.
    func change(_ socket: Int32, token: UInt64, interest: Interest) {
        _ = control(EPOLL_CTL_MOD, socket, token, interest)
    }

    /// Stops watching a descriptor. Not needed for a closed one, unless a duplicate of it is open.
    func remove(_ socket: Int32) {
        _ = control(EPOLL_CTL_DEL, socket, 0, [])
    }

    /// Waits for events, at most for the given time in nanoseconds. Returns how many descriptors have
    /// events.
    func wait(nanoseconds: UInt64?) -> Int {
        let milliseconds = nanoseconds.map { Int32(clamping: ($0 + 999_999) / 1_000_000) } ?? -1
        let count = max(
            0,
            Int(epoll_wait(descriptor, events.baseAddress, Int32(events.count), milliseconds)))
        fullWaits = count == Self.capacity ? fullWaits + 1 : 0
        return count
    }

    /// The events of one of them; nil for the poller's own descriptor.
    func readiness(at index: Int) -> Readiness? {
        let event = events[index]
        guard event.data.u64 == Self.wakeUpToken else { return Readiness(event) }
        acknowledgeWakeUp()
        return nil
    }

    private func acknowledgeWakeUp() {
        var count: UInt64 = 0
        _ = read(wakeUp, &count, MemoryLayout<UInt64>.size)
    }

    private func control(
        _ operation: Int32, _ socket: Int32, _ token: UInt64, _ interest: Interest
    ) -> Int32 {
        var event = epoll_event()
        event.data.u64 = token
        event.events =
            (interest.contains(.read) ? EPOLLIN.rawValue : 0)
            | (interest.contains(.write) ? EPOLLOUT.rawValue : 0)
        return epoll_ctl(descriptor, operation, socket, &event)
    }
}

extension Poller.Readiness {
    fileprivate init(_ event: epoll_event) {
        let broken = event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
        self.init(
            token: event.data.u64, isReadable: event.events & EPOLLIN.rawValue != 0,
            isWritable: event.events & EPOLLOUT.rawValue != 0, isBroken: broken)
    }
}
