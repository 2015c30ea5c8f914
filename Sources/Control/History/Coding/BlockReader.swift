/// The bytes of a block are not what a writer makes.
package struct DamagedBlock: Error, Hashable, Sendable {}

/// Reads what ``BlockWriter`` has written, from bytes that may be damaged: it ends with an error, never with a
/// trap, and takes no more memory than its caller allows.
struct BlockReader: Sendable {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next byte, which stays; `nil` at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// How many bytes were not read.
    var rest: Int { bytes.count - position }

    mutating func byte() throws(DamagedBlock) -> UInt8 {
        guard position < bytes.count else { throw DamagedBlock() }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number() throws(DamagedBlock) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try byte()
            // The tenth byte has room for one bit.
            guard shift < 63 || byte <= 1 else { throw DamagedBlock() }
            number |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte & 0x80 == 0 { return number }
        }
        throw DamagedBlock()
    }

    /// A count of things.
    /// - Parameter limit: how many are taken at most.
    mutating func count(upTo limit: Int) throws(DamagedBlock) -> Int {
        let number = try number()
        guard number <= UInt64(limit) else { throw DamagedBlock() }
        return Int(number)
    }

    mutating func signed() throws(DamagedBlock) -> Int {
        let folded = try number()
        return Int(truncatingIfNeeded: folded >> 1) ^ -Int(folded & 1)
    }

    mutating func raw(_ count: Int) throws(DamagedBlock) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest else { throw DamagedBlock() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func text() throws(DamagedBlock) -> String {
        let length = try count(upTo: rest)
        guard let text = String(validating: try raw(length), as: UTF8.self) else {
            throw DamagedBlock()
        }
        return text
    }

    /// As many numbers as there should be.
    mutating func deltas(_ count: Int) throws(DamagedBlock) -> [Int] {
        var numbers: [Int] = []
        numbers.reserveCapacity(count)
        var former = 0
        while numbers.count < count {
            let delta = try signed()
            former &+= delta
            numbers.append(former)
            guard delta == 0 else { continue }
            let more = try self.count(upTo: count - numbers.count)
            numbers.append(contentsOf: repeatElement(former, count: more))
        }
        return numbers
    }

    mutating func steps(_ count: Int) throws(DamagedBlock) -> [Int] {
        var former = 0
        return try deltas(count).map { step in
            former &+= step
            return former
        }
    }
}
