import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

@Suite struct UniqueIDTests {
    private let example = "018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11"

    @Test func textAndBytesAreTheSameID() throws {
        let id = try #require(CommandID(example))
        #expect(id.text == example)
        #expect(
            id.bytes == [
                0x01, 0x8f, 0x3c, 0x1e, 0x7b, 0x9a, 0x7c, 0x2e, 0x9d, 0x5e, 0x3a, 0x1f, 0x0c, 0x9b,
                0x7e, 0x11,
            ])
        #expect(CommandID(bytes: id.bytes) == id)
    }

    @Test(arguments: [
        "", "018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e1", "018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e111",
        "018F3C1E-7B9A-7C2E-9D5E-3A1F0C9B7E11", "018f3c1e-7b9a-4c2e-9d5e-3a1f0c9b7e11",
        "018f3c1e-7b9a-7c2e-cd5e-3a1f0c9b7e11", "018f3c1e-7b9a-7c2e-7d5e-3a1f0c9b7e11",
        "018f3c1e07b9a-7c2e-9d5e-3a1f0c9b7e11", "018f3c1e7b9a7c2e9d5e3a1f0c9b7e11",
        "{018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e1}", "018g3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11",
        "018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11 ", "018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e1١",
    ])
    func otherTextsAreRefused(text: String) {
        #expect(CommandID(text) == nil)
    }

    @Test func otherBytesAreRefused() throws {
        let bytes = try #require(CommandID(example)).bytes
        #expect(CommandID(bytes: Array(bytes.dropLast())) == nil)
        #expect(CommandID(bytes: bytes + [0]) == nil)
        for version in UInt8(0)...15 where version != 7 {
            var other = bytes
            other[6] = version << 4 | other[6] & 0xF
            #expect(CommandID(bytes: other) == nil)
        }
        for variant in [UInt8(0), 0x40, 0xC0] {
            var other = bytes
            other[8] = variant | other[8] & 0x3F
            #expect(CommandID(bytes: other) == nil)
        }
    }

    @Test func newIDsAreValidAndSortByTime() throws {
        var generator = SeededGenerator(seed: 6)
        var last: CommandID?
        var seen: Set<CommandID> = []
        for milliseconds in stride(from: 1_764_000_000_000, to: 1_764_000_001_000, by: 1) {
            let id = CommandID(at: Timestamp(milliseconds: milliseconds), using: &generator)
            #expect(CommandID(id.text) == id)
            #expect(id.time.milliseconds == milliseconds)
            if let last { #expect(last < id) }
            #expect(seen.insert(id).inserted)
            last = id
        }
    }

    @Test func theRuleOfTheTextIsTheRegularExpression() throws {
        let rule = try Regex(CommandID.rule)
        #expect(example.wholeMatch(of: rule) != nil)
        #expect("018F3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11".wholeMatch(of: rule) == nil)
    }

    @Test func impossibleTimesAreTakenAsTheNearest() {
        var generator = SeededGenerator(seed: 7)
        #expect(
            CommandID(at: Timestamp(milliseconds: -5), using: &generator).time.milliseconds == 0)
        #expect(
            CommandID(at: Timestamp(milliseconds: .max), using: &generator).time.milliseconds
                == 0xFFFF_FFFF_FFFF)
    }
}
