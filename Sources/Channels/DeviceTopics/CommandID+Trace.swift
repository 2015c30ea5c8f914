internal import Basics
import DeviceMessages

extension CommandID {
    /// The command as the root of an unrecorded trace: its id is the trace id, and each send is a span
    /// (W3C Trace Context, version 00).
    func traceparent(attempt: Int) -> String {
        let span = bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } &+ UInt64(attempt)
        return "00-\(bytes.hexadecimal)-\(span.bigEndianBytes.hexadecimal)-00"
    }
}

extension UInt64 {
    fileprivate var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) }
    }
}
