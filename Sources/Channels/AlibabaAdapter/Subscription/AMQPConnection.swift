internal import Basics
internal import CAMQP
internal import DeviceDomain

/// Connects over AMQP 1.0 with TLS, by Qpid Proton. The only file of this room that knows it.
struct AMQPConnector: SubscriptionConnector {
    let host: String
    let port: UInt16
    /// A PEM file with the authorities that are trusted; `nil` for those of the system.
    let authority: String?
    /// What is received from; the platform does not look at it.
    var source = "default"

    /// Where Debian has the authorities of the system.
    private static let systemAuthorities = "/etc/ssl/certs"

    func connect(
        _ login: SubscriptionLogin
    ) throws(SubscriptionUnavailable) -> any SubscriptionConnection {
        if let reason = camqp_unavailable() {
            throw SubscriptionUnavailable(message: String(cString: reason))
        }
        let connection = AMQPConnection()
        guard
            connection.start(
                login, at: (host, port), authority: authority ?? Self.systemAuthorities,
                source: source)
        else {
            throw SubscriptionUnavailable(
                message: "AMQP cannot be set up: check the file of authorities")
        }
        return connection
    }
}

/// One connection over AMQP.
private final class AMQPConnection: SubscriptionConnection {
    /// The pointer is used under the lock alone, and is gone once the connection has ended. It is freed by the
    /// connection's own thread.
    private struct Handle: @unchecked Sendable {
        var pointer: OpaquePointer?
    }

    let events: AsyncStream<SubscriptionEvent>
    // At most as many messages as the connection's credit are in it.
    private let source: AsyncStream<SubscriptionEvent>.Continuation
    private let handle = Guarded(Handle())

    /// How long the connection may be silent. The library tells the other end half of it, of which the platform takes
    /// 30 to 300 s.
    private static let idleMilliseconds: UInt32 = 120_000
    /// Bytes of a message at most.
    private static let limit = 1 << 20

    init() {
        (events, source) = AsyncStream.makeStream(
            of: SubscriptionEvent.self, bufferingPolicy: .unbounded)
    }

    /// - Returns: whether it has begun.
    func start(
        _ login: SubscriptionLogin, at address: (host: String, port: UInt16), authority: String,
        source: String
    ) -> Bool {
        let owner = Unmanaged.passRetained(self)
        let calls = camqp_events(
            owner: owner.toOpaque(), attached: attached, received: received, ended: ended)
        let texts = [
            address.host, "\(address.port)", login.user, login.password, authority, "homeport",
            source,
        ]
        let isStarted = handle.withLock { handle in
            Self.withCStrings(texts[...]) { texts in
                var settings = camqp_settings(
                    host: texts[0], port: texts[1], user: texts[2], password: texts[3],
                    authority: texts[4], container: texts[5], source: texts[6],
                    idle_milliseconds: Self.idleMilliseconds, limit: Self.limit)
                handle.pointer = camqp_start(&settings, calls)
                return handle.pointer != nil
            }
        }
        if !isStarted { owner.release() }
        return isStarted
    }

    private static func withCStrings<Value>(
        _ texts: ArraySlice<String>, _ pointers: [UnsafePointer<CChar>] = [],
        _ body: ([UnsafePointer<CChar>]) -> Value
    ) -> Value {
        guard let first = texts.first else { return body(pointers) }
        return first.withCString { withCStrings(texts.dropFirst(), pointers + [$0], body) }
    }

    func accept(_ delivery: UInt64) {
        handle.withLock { handle in
            if let pointer = handle.pointer { camqp_accept(pointer, delivery) }
        }
    }

    func stop() {
        handle.withLock { handle in
            if let pointer = handle.pointer { camqp_stop(pointer) }
        }
    }

    fileprivate func send(_ event: SubscriptionEvent) { source.yield(event) }

    fileprivate func end(_ reason: String) {
        source.yield(.ended(reason))
        source.finish()
        let pointer = handle.withLock { handle in
            defer { handle.pointer = nil }
            return Handle(pointer: handle.pointer)
        }
        if let pointer = pointer.pointer { camqp_free(pointer) }
    }
}

// Called on the thread of the connection.

private func attached(_ owner: UnsafeMutableRawPointer?) {
    guard let owner else { return }
    Unmanaged<AMQPConnection>.fromOpaque(owner).takeUnretainedValue().send(.attached)
}

private func received(
    _ owner: UnsafeMutableRawPointer?, _ message: UnsafePointer<camqp_message>?
) {
    guard let owner, let message = message?.pointee else { return }
    Unmanaged<AMQPConnection>.fromOpaque(owner).takeUnretainedValue().send(
        .message(
            RawSubscribedMessage(
                delivery: message.delivery,
                topic: String(decoding: bytes(message.topic, message.topic_count), as: UTF8.self),
                body: bytes(message.body, message.body_count),
                messageID: String(
                    decoding: bytes(message.message_id, message.message_id_count), as: UTF8.self),
                generated: message.generated > 0
                    ? Timestamp(milliseconds: Int(message.generated)) : nil)))
}

private func ended(
    _ owner: UnsafeMutableRawPointer?, _ condition: UnsafePointer<CChar>?,
    _ description: UnsafePointer<CChar>?
) {
    guard let owner else { return }
    let words = [condition, description].compactMap { $0.map { String(cString: $0) } }
        .filter { !$0.isEmpty }
    Unmanaged<AMQPConnection>.fromOpaque(owner).takeRetainedValue()
        .end(words.joined(separator: ": "))
}

private func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> [UInt8] {
    UnsafeBufferPointer(start: start, count: start == nil ? 0 : count)
        .map { UInt8(bitPattern: $0) }
}
