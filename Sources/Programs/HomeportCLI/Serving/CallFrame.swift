/// One message of a server to the process that called it: a byte for its kind, the number of bytes
/// that follow in four bytes, the highest first, and these bytes.
enum CallFrame: Hashable, Sendable {
    /// The server is there and waits for the call. It is the first frame: before it a caller sends nothing,
    /// so that a server that was stopped and goes on runs no call that its caller has given up.
    case ready
    /// For stdout.
    case results([UInt8])
    /// For stderr.
    case remarks([UInt8])
    /// The call has ended with this exit status.
    case status(Int32)
    /// The server does not run this call; the caller does it by itself.
    case declined

    /// The byte that a caller sends when it is interrupted.
    static let interruption: UInt8 = 3

    private static let kinds = (
        ready: UInt8(ascii: "r"), results: UInt8(ascii: "o"), remarks: UInt8(ascii: "e"),
        status: UInt8(ascii: "x"), declined: UInt8(ascii: "d")
    )

    var bytes: [UInt8] {
        switch self {
        case .ready: Self.frame(Self.kinds.ready, [])
        case .results(let bytes): Self.frame(Self.kinds.results, bytes)
        case .remarks(let bytes): Self.frame(Self.kinds.remarks, bytes)
        case .status(let status):
            Self.frame(Self.kinds.status, [UInt8(truncatingIfNeeded: status)])
        case .declined: Self.frame(Self.kinds.declined, [])
        }
    }

    private static func frame(_ kind: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let count = UInt32(payload.count)
        let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
        return [kind] + size + payload
    }

    /// Takes the first frame from what was read.
    /// - Returns: `nil` where it is not complete yet. A frame of another kind counts as a call that is
    ///   declined: the server is of another version.
    static func take(from bytes: inout ArraySlice<UInt8>) -> CallFrame? {
        guard bytes.count >= 5, let kind = bytes.first else { return nil }
        let count = bytes.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= 5 + count else { return nil }
        let payload = Array(bytes.dropFirst(5).prefix(count))
        bytes = bytes.dropFirst(5 + count)
        switch kind {
        case kinds.ready: return .ready
        case kinds.results: return .results(payload)
        case kinds.remarks: return .remarks(payload)
        case kinds.status where count == 1: return .status(Int32(payload[0]))
        default: return .declined
        }
    }
}
