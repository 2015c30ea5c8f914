/// The numbers of one signal in the rows of a block. What devices send has few decimals, so a number is stored as
/// a whole one of tenths, hundredths … where that is exact, else as its eight bytes.
enum NumberColumn {
    /// The most decimals that are stored as a whole number.
    static let mostDecimals = 9
    /// Stands for the eight bytes of a double, where others stand for decimals.
    private static let exact: UInt8 = 0x10
    private static let powers = (0...mostDecimals).map { power in
        (0..<power).reduce(1.0) { product, _ in product * 10 }
    }

    /// Writes numbers that come back exactly.
    static func write(_ numbers: [Double], to writer: inout BlockWriter) {
        guard let decimals = decimals(of: numbers) else {
            writer.write(raw: [exact])
            for number in numbers {
                withUnsafeBytes(of: number.bitPattern.littleEndian) { writer.write(raw: Array($0)) }
            }
            return
        }
        write(numbers, decimals: decimals, to: &writer)
    }

    /// Writes numbers rounded to so many decimals.
    /// - Precondition: ``fits(_:decimals:)``.
    private static func write(_ numbers: [Double], decimals: Int, to writer: inout BlockWriter) {
        writer.write(raw: [UInt8(decimals)])
        writer.write(deltas: numbers.map { Int(($0 * powers[decimals]).rounded()) })
    }

    /// Reads as many numbers as there should be.
    static func read(
        _ count: Int, from reader: inout BlockReader
    ) throws(DamagedBlock) -> [Double] {
        let kind = try reader.byte()
        if kind == exact {
            let bytes = try reader.raw(count * 8)
            var numbers: [Double] = []
            numbers.reserveCapacity(count)
            for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
                let pattern = bytes[start..<start + 8].reversed()
                    .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                let number = Double(bitPattern: pattern)
                // JSON has no other numbers.
                guard number.isFinite else { throw DamagedBlock() }
                numbers.append(number)
            }
            return numbers
        }
        guard kind <= mostDecimals else { throw DamagedBlock() }
        let divisor = powers[Int(kind)]
        return try reader.deltas(count).map { Double($0) / divisor }
    }

    /// The fewest decimals with which all numbers come back exactly; `nil` where none is enough.
    static func decimals(of numbers: [Double]) -> Int? {
        var decimals = 0
        for number in numbers {
            while !isExact(number, decimals) {
                decimals += 1
                guard decimals <= mostDecimals else { return nil }
            }
        }
        // More decimals may be too many for an earlier, larger number.
        return numbers.allSatisfy { isExact($0, decimals) } ? decimals : nil
    }

    /// A number rounded to so many decimals; as it is where it is too large for them.
    static func rounded(_ number: Double, decimals: Int) -> Double {
        let power = powers[min(decimals, mostDecimals)]
        let whole = (number * power).rounded()
        return whole.magnitude < largest ? whole / power : number
    }

    /// Below this every whole number is a double: 2⁵³.
    private static let largest = 9_007_199_254_740_992.0

    private static func isExact(_ number: Double, _ decimals: Int) -> Bool {
        let whole = (number * powers[decimals]).rounded()
        return whole.magnitude < largest && whole / powers[decimals] == number
    }
}
