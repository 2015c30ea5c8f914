/// Requests that wait for a response, matched by correlation data. A value type without connection or
/// clock; random numbers come from the caller.
struct RequestTable {
    typealias Continuation = CheckedContinuation<Result<MQTTMessage, MQTTError>, Never>

    private struct Pending {
        let nonce: UInt64
        /// The request until it is published.
        var message: MQTTMessage?
        let continuation: Continuation
    }

    /// The topics on which responses come.
    var topics = ResponseSubscriptions()
    private var pending: [UInt64: Pending] = [:]

    var isEmpty: Bool { pending.isEmpty }

    /// Stores a request, and sets the correlation data that identifies its response. Half of it is random, so
    /// that nobody can forge a response to a request that they have not seen.
    mutating func insert(
        _ message: MQTTMessage, as number: UInt64, _ continuation: Continuation,
        using generator: inout some RandomNumberGenerator
    ) {
        let nonce = UInt64.random(in: .min ... .max, using: &generator)
        var message = message
        message.properties.correlationData = Self.bytes(of: nonce) + Self.bytes(of: number)
        pending[number] = Pending(nonce: nonce, message: message, continuation: continuation)
    }

    /// Returns the message to publish; nil if the request has ended.
    mutating func takeMessage(of number: UInt64) -> MQTTMessage? {
        pending[number]?.message.take()
    }

    /// Completes the request that a message responds to; false if there is none.
    mutating func answer(with message: MQTTMessage) -> Bool {
        guard let data = message.properties.correlationData, data.count == 16 else { return false }
        let number = Self.number(in: data[8...])
        guard pending[number]?.nonce == Self.number(in: data[..<8]) else { return false }
        finish(number, with: .success(message))
        return true
    }

    /// Ends a request; does nothing if it has ended.
    mutating func finish(_ number: UInt64, with result: Result<MQTTMessage, MQTTError>) {
        pending.removeValue(forKey: number)?.continuation.resume(returning: result)
    }

    /// Ends all requests.
    mutating func finishAll(with error: MQTTError) {
        let all = pending
        pending = [:]
        for request in all.values { request.continuation.resume(returning: .failure(error)) }
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    private static func number(in bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
