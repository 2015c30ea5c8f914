import Keychain

extension [UInt8] {
    /// Bytes from hexadecimal digits; spaces are ignored.
    init(hex text: String) {
        let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
        self = stride(from: 0, to: digits.count - 1, by: 2).map {
            digits[$0] << 4 | digits[$0 + 1]
        }
    }

    /// The bytes as hexadecimal digits.
    var hex: String {
        map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// This big-endian number, so much greater.
    func adding(_ number: Int) -> [UInt8] {
        var sum = self
        var carry = number
        for index in sum.indices.reversed() {
            carry += Int(sum[index])
            sum[index] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
        return sum
    }
}

extension Secret {
    convenience init(text: String) { self.init(Array(text.utf8)) }
}
