import Basics
import Testing

@Suite struct HexadecimalTests {
    @Test func everyByteIsReadAsItWasWritten() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(bytes.hexadecimal.hasPrefix("000102"))
        #expect(bytes.hexadecimal.hasSuffix("fdfeff"))
        #expect([UInt8](hexadecimal: bytes.hexadecimal) == bytes)
        #expect([UInt8](hexadecimal: bytes.hexadecimal.uppercased()) == bytes)
    }

    @Test func aNumberHas16Digits() {
        #expect(UInt64(0xAB).hexadecimal == "00000000000000ab")
        #expect(UInt64.max.hexadecimal == "ffffffffffffffff")
    }

    @Test(arguments: ["0", "0g", "+1", "0x10", "é0"])
    func otherTextsAreRefused(_ text: String) {
        #expect([UInt8](hexadecimal: text) == nil)
    }
}
