internal import Glibc

/// Bytes that must not be seen: kept in memory of their own, which is overwritten when the last reference
/// goes. It prints as `<redacted>`, in every description, and cannot be encoded.
public final class Secret: Sendable, Equatable, CustomStringConvertible,
    CustomDebugStringConvertible,
    CustomReflectable
{
    /// Invariant: written by `init` alone, released by `deinit` alone.
    private nonisolated(unsafe) let buffer: UnsafeMutableRawBufferPointer

    /// Memory of `count` bytes that `body` fills.
    public init(count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
        buffer = .allocate(byteCount: count, alignment: 1)
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        body(buffer)
    }

    /// A copy of bytes; the caller overwrites its own.
    public convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    deinit {
        if let address = buffer.baseAddress { explicit_bzero(address, buffer.count) }
        buffer.deallocate()
    }

    /// How many bytes there are.
    public var count: Int { buffer.count }

    /// Lends the bytes; they must not be kept.
    public func withUnsafeBytes<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try body(UnsafeRawBufferPointer(buffer))
    }

    /// Compares in a time that depends on the number of bytes alone.
    public static func == (left: Secret, right: Secret) -> Bool {
        guard left.count == right.count else { return false }
        return zip(left.buffer, right.buffer).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    public var description: String { "<redacted>" }
    public var debugDescription: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
