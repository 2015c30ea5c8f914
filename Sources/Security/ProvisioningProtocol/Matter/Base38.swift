/// The text of bytes in a Matter QR code (Matter core specification 1.4, 5.1.3.1): three bytes are five characters,
/// two are four, one is two; the least significant come first.
enum Base38 {
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-.".utf8)

    /// The bytes of a text; `nil` for what no bytes give.
    static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while !rest.isEmpty {
            let group = rest.prefix(5)
            rest = rest.dropFirst(5)
            guard let count = [5: 3, 4: 2, 2: 1][group.count], var number = number(group) else {
                return nil
            }
            for _ in 0..<count {
                bytes.append(UInt8(number & 0xFF))
                number >>= 8
            }
            guard number == 0 else { return nil }
        }
        return bytes
    }

    private static func number(_ group: ArraySlice<UInt8>) -> Int? {
        var number = 0
        for character in group.reversed() {
            guard let digit = alphabet.firstIndex(of: character) else { return nil }
            number = number * alphabet.count + digit
        }
        return number
    }
}
