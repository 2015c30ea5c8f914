import Testing

@testable import Fleet

@Suite struct JournalFrameTests {
    private func file(_ records: String...) -> [UInt8] {
        records.reduce(into: []) { JournalFrame.append(Array($1.utf8), to: &$0) }
    }

    private func texts(_ contents: JournalFrame.Contents) -> [String] {
        contents.records.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func checksumIsTheStandardOne() {
        #expect(Checksum.of(Array("123456789".utf8)) == 0xcbf4_3926)
    }

    @Test func givesBackWhatWasFramed() {
        let bytes = file("{}", #"{"a":1}"#)
        let contents = JournalFrame.read(bytes)
        #expect(texts(contents) == ["{}", #"{"a":1}"#])
        #expect(contents.wholeLength == bytes.count)
        #expect(contents.damagedLine == nil)
    }

    @Test func everyCutOfTheTailLeavesTheWholeRecords() {
        let first = file("{\"n\":1}")
        let bytes = first + file("{\"n\":2}")
        for length in first.count..<bytes.count {
            let contents = JournalFrame.read(Array(bytes.prefix(length)))
            #expect(texts(contents) == ["{\"n\":1}"])
            #expect(contents.wholeLength == first.count)
            #expect(contents.damagedLine == nil)
        }
    }

    @Test func aDamagedLastLineIsATornTail() {
        var bytes = file("{\"n\":1}", "{\"n\":2}")
        bytes[bytes.count - 3] ^= 1
        let contents = JournalFrame.read(bytes)
        #expect(texts(contents) == ["{\"n\":1}"])
        #expect(contents.damagedLine == nil)
    }

    @Test func damageBeforeWholeRecordsIsNoTail() {
        var bytes = file("{\"n\":1}", "{\"n\":2}", "{\"n\":3}")
        bytes[bytes.count / 2] ^= 1
        #expect(JournalFrame.read(bytes).damagedLine == 2)
    }

    @Test func anyFlippedBitIsFound() {
        let bytes = file("{\"n\":1}")
        for index in bytes.indices {
            for bit in 0..<8 {
                var flipped = bytes
                flipped[index] ^= 1 << bit
                #expect(JournalFrame.read(flipped).records.isEmpty, "byte \(index), bit \(bit)")
            }
        }
    }
}
