/// How a record lies in the file: eight hexadecimal digits of its checksum, a space, the record as
/// one line of JSON, a line feed. It can be read with `cut -c10-`.
enum JournalFrame {
    private static let digits = Array("0123456789abcdef".utf8)
    private static let prefixLength = 9
    /// What most lines take, bytes.
    static let usualLength = 384
    private static let lineFeed = UInt8(ascii: "\n")

    /// Appends one framed record; `record` holds no line feed.
    static func append(_ record: [UInt8], to bytes: inout [UInt8]) {
        let checksum = Checksum.of(record)
        for shift in stride(from: UInt32(28), through: 0, by: -4) {
            bytes.append(digits[Int((checksum >> shift) & 0xf)])
        }
        bytes.append(UInt8(ascii: " "))
        bytes += record
        bytes.append(lineFeed)
    }

    /// What a file's bytes hold.
    struct Contents {
        /// The records that are whole, in order.
        var records: [ArraySlice<UInt8>] = []
        /// How many bytes they take: where the next record belongs.
        var wholeLength = 0
        /// The number of the first damaged line that whole ones follow, from 1.
        var damagedLine: Int?
    }

    /// Splits a file into records. What is not whole at its end is a torn tail: the write that a
    /// crash cut off, whose acknowledgements never left.
    static func read(_ bytes: [UInt8]) -> Contents {
        var contents = Contents()
        var firstBadLine: Int?
        var start = 0
        var line = 0
        while start < bytes.count, let end = bytes[start...].firstIndex(of: lineFeed) {
            line += 1
            if let record = record(of: bytes[start..<end]) {
                if let firstBadLine {
                    contents.damagedLine = firstBadLine
                    return contents
                }
                contents.records.append(record)
                contents.wholeLength = end + 1
            } else if firstBadLine == nil {
                firstBadLine = line
            }
            start = end + 1
        }
        return contents
    }

    private static func record(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.count > prefixLength else { return nil }
        let record = line.dropFirst(prefixLength)
        var framed: [UInt8] = []
        append(Array(record), to: &framed)
        return framed.dropLast().elementsEqual(line) ? record : nil
    }
}
