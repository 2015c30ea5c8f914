internal import Basics

/// A stream with room for a stated number of elements, which counts what it drops.
///
/// It has one consumer; a second iterator shares the elements with the first one.
public struct BoundedStream<Element: Sendable>: AsyncSequence, Sendable {
    public typealias Failure = Never

    /// What happens to an element for which there is no room.
    public enum Policy: Hashable, Sendable {
        /// The oldest buffered element is dropped; at most `limit` are buffered.
        case dropOldest(limit: Int)
        /// The new element is dropped; at most `limit` are buffered.
        case dropNewest(limit: Int)
    }

    /// What happens to an element for which there is no room.
    public let policy: Policy
    private let elements: AsyncStream<Element>
    private let drops: DropCounter
    private var transform: (@Sendable (Element) -> Element)?

    /// How many elements were dropped so far.
    public var droppedCount: Int { drops.count }

    /// A stream and the source that feeds it.
    /// - Parameter onTermination: called once when the consumer is cancelled or gone, or the
    ///   source has finished.
    public static func make(
        _ policy: Policy, onTermination: (@Sendable () -> Void)? = nil
    ) -> (stream: BoundedStream, source: StreamSource<Element>) {
        let (elements, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: policy.buffering)
        if let onTermination {
            continuation.onTermination = { _ in onTermination() }
        }
        let drops = DropCounter()
        return (
            BoundedStream(policy: policy, elements: elements, drops: drops, transform: nil),
            StreamSource(continuation: continuation, drops: drops)
        )
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(base: elements.makeAsyncIterator(), transform: transform)
    }

    /// The same stream, whose consumer receives what becomes of each element.
    func mapped(_ transform: @escaping @Sendable (Element) -> Element) -> BoundedStream {
        var copy = self
        copy.transform = transform
        return copy
    }

    /// Waits for the stream's elements in order.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<Element>.Iterator
        let transform: (@Sendable (Element) -> Element)?

        public mutating func next() async -> Element? {
            await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            let element = await base.next(isolation: actor)
            guard let transform else { return element }
            return element.map(transform)
        }
    }
}

/// The end of a ``BoundedStream`` that elements are put into; from any thread.
public struct StreamSource<Element: Sendable>: Sendable {
    let continuation: AsyncStream<Element>.Continuation
    let drops: DropCounter

    /// Puts an element into the stream, or counts what is dropped for it.
    /// - Returns: whether the stream still has a consumer.
    @discardableResult
    public func send(_ element: Element) -> Bool {
        switch continuation.yield(element) {
        case .enqueued: return true
        case .dropped:
            drops.increment()
            return true
        case .terminated: return false
        @unknown default: return true
        }
    }

    /// Ends the stream after the buffered elements.
    public func finish() { continuation.finish() }

    /// How many elements were dropped so far.
    public var droppedCount: Int { drops.count }
}

extension BoundedStream.Policy {
    fileprivate var buffering: AsyncStream<Element>.Continuation.BufferingPolicy {
        switch self {
        case .dropOldest(let limit): .bufferingNewest(limit)
        case .dropNewest(let limit): .bufferingOldest(limit)
        }
    }
}

/// A counter that a stream and its source share.
final class DropCounter: Sendable {
    private let value = Guarded(0)

    var count: Int { value.withLock { $0 } }

    func increment() { value.withLock { $0 += 1 } }
}
