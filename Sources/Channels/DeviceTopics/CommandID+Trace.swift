import DeviceMessages

extension CommandID {
    /// The command as the root of an unrecorded trace: its id is the trace id, and each send is a span
    /// (W3C Trace Context, version 00).
    func traceparent(attempt: Int) -> String {
        let span = bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } &+ UInt64(attempt)
        return "00-\(hex(bytes))-\(hex(span.bigEndianBytes))-00"
    }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) }
    }
}

/// Two lower-case digits of base 16 for each byte.
private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
