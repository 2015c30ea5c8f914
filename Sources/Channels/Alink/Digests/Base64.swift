/// The digits of base64.
private let alphabet: [Character] = .init(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

extension [UInt8] {
    /// The bytes in base64 with padding (RFC 4648, section 4).
    package var base64: String {
        var text = ""
        text.reserveCapacity((count + 2) / 3 * 4)
        for start in stride(from: 0, to: count, by: 3) {
            let group = self[start..<Swift.min(start + 3, count)]
            var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let digit = Int(bits >> UInt32(18 - 6 * place) & 0x3F)
                text.append(place > group.count ? "=" : alphabet[digit])
            }
        }
        return text
    }
}
