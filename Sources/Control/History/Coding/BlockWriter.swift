/// Writes whole numbers, numbers and texts in few bytes.
///
/// A whole number has seven bits in each byte, the lowest first; the highest bit says that another byte follows
/// (LEB128). One with a sign is folded first: 0, −1, 1, −2 … are 0, 1, 2, 3 …
struct BlockWriter: Sendable {
    /// What was written.
    private(set) var bytes: [UInt8] = []

    /// Writes a whole number.
    mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes a count.
    /// - Precondition: it is not negative.
    mutating func write(count: Int) { write(UInt64(count)) }

    /// Writes a whole number with its sign.
    mutating func write(signed number: Int) {
        write(UInt64(bitPattern: Int64(number << 1)) ^ UInt64(bitPattern: Int64(number >> 63)))
    }

    /// Writes the length of a text and its UTF-8.
    mutating func write(_ text: String) {
        write(count: text.utf8.count)
        bytes += text.utf8
    }

    /// Writes bytes as they are.
    mutating func write(raw: [UInt8]) { bytes += raw }

    /// Writes whole numbers as differences, each to the one before. Where numbers repeat themselves, how
    /// often they do is written behind a single 0.
    mutating func write(deltas numbers: [Int]) {
        var former = 0
        var index = 0
        while index < numbers.count {
            let delta = numbers[index] &- former
            write(signed: delta)
            former = numbers[index]
            index += 1
            guard delta == 0 else { continue }
            let start = index
            while index < numbers.count, numbers[index] == former { index += 1 }
            write(count: index - start)
        }
    }

    /// Writes numbers that rise evenly, such as times: the differences of their differences.
    mutating func write(steps numbers: [Int]) {
        var former = 0
        write(
            deltas: numbers.map { number in
                defer { former = number }
                return number &- former
            })
    }
}
