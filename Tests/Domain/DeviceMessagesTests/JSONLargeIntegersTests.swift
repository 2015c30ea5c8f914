import DeviceDomain
import DeviceMessages
import Testing

@Suite struct JSONLargeIntegersTests {
    private func read(_ text: String, _ largeIntegers: JSONLargeIntegers) throws -> JSONValue {
        try JSONReader.read(Array(text.utf8), largeIntegers: largeIntegers)
    }

    @Test(
        arguments: [
            "9007199254740992", "9007199254740993", "9430595440367257820", "18446744073709551615",
            "-9223372036854775808",
        ])
    func wholeNumbersThatADoubleDoesNotHoldAreReadAsDigits(text: String) throws {
        #expect(try read("[\(text)]", .digits) == [.string(text)])
        #expect(try read("[\(text)]", .rounded) == [.number(Double(text) ?? .nan)])
    }

    @Test(arguments: ["0", "-7", "9007199254740991", "1.5", "1e300", "9007199254740993.0"])
    func otherNumbersStayNumbers(text: String) throws {
        #expect(try read(text, .digits) == .number(Double(text) ?? .nan))
    }

    @Test func largeNumbersAreWrittenAsTheyAre() {
        var writer = JSONWriter()
        writer.writeArray([UInt64.max, 7]) { $0.write($1) }
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "[18446744073709551615,7]")
    }
}
