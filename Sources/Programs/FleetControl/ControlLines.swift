/// Cuts the bytes of a control socket into lines, however they come.
package struct ControlLines: Sendable {
    /// The longest line, in bytes without its end.
    private let limit: Int
    private var rest: [UInt8] = []

    package init(limit: Int = ControlRequest.limit) { self.limit = limit }

    /// Takes bytes in.
    /// - Returns: the lines that are whole now, without their ends.
    /// - Throws: ``ControlError`` for a line that is too long; nothing more can be read then.
    package mutating func receive(_ bytes: some Sequence<UInt8>) throws(ControlError) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            guard byte != UInt8(ascii: "\n") else {
                lines.append(rest)
                rest = []
                continue
            }
            guard rest.count < limit else {
                throw ControlError("a line on the control socket is longer than \(limit) bytes")
            }
            rest.append(byte)
        }
        return lines
    }
}
