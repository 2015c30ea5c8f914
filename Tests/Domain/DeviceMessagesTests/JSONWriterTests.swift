import DeviceDomain
import DeviceMessages
import TestSupport
import Testing

@Suite struct JSONWriterTests {
    @Test(
        arguments: [
            (JSONValue.null, "null"), (true, "true"), (false, "false"), (0, "0"), (-7, "-7"),
            (.number(-0.0), "0"), (1.0, "1"), (54.2, "54.2"), (-1250, "-1250"),
            (1e16, "10000000000000000"),
            (9_007_199_254_740_991, "9007199254740991"), (1e300, "1e+300"), (0.1, "0.1"),
            ("", "\"\""), ("a/b", "\"a/b\""), ("水🤖", "\"水🤖\""),
            (
                "\"\\\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}",
                "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\u{7f}\""
            ),
            ([], "[]"), ([1, [2], nil], "[1,[2],null]"), ([:], "{}"),
            (
                ["b": 1, "a": ["d": [], "c": 2], "B": "x"],
                "{\"B\":\"x\",\"a\":{\"c\":2,\"d\":[]},\"b\":1}"
            ),
        ] as [(JSONValue, String)])
    func writesTheCanonicalForm(value: JSONValue, text: String) {
        #expect(String(decoding: JSONWriter.write(value), as: UTF8.self) == text)
    }

    @Test func everyWholeNumberHasNoFraction() {
        for exponent in 0..<63 {
            let bytes = JSONWriter.write(.number(Double(1 << exponent)))
            #expect(String(decoding: bytes, as: UTF8.self) == "\(1 << exponent)")
        }
    }

    /// Numbers that are not whole have the digits of their description, however they are written.
    @Test func everyOtherNumberIsWrittenAsItsDescription() {
        var generator = SeededGenerator(seed: 4)
        for round in 0..<200_000 {
            let bits = generator.next()
            let number =
                switch round % 4 {
                case 0: Double(Int64(bitPattern: bits) % 1_000_000) / 1000
                case 1: Double(Int64(bitPattern: bits) % 2_000_000_000_000_000) / 1000
                case 2: (Double(Int64(bitPattern: bits) % 1_000_000) / 1000).nextUp
                default: Double(bitPattern: bits)
                }
            guard number.isFinite, Int(exactly: number) == nil else { continue }
            let bytes = JSONWriter.write(.number(number))
            #expect(String(decoding: bytes, as: UTF8.self) == number.description)
        }
    }

    /// A number that is rounded as it is written has the bytes of the rounded number.
    @Test func roundingWhileWritingIsRoundingBefore() {
        var generator = SeededGenerator(seed: 5)
        for round in 0..<100_000 {
            let decimals = Int(generator.next() % 4)
            let factor = [1.0, 10, 100, 1000][decimals]
            let scale = [1e-3, 1, 1e3, 1e13, 1e18][round % 5]
            let number = (generator.nextFraction() * 2 - 1) * scale
            var json = JSONWriter()
            json.write(number, decimals: decimals)
            let rounded = JSONWriter.write(.number((number * factor).rounded() / factor))
            #expect(json.bytes == rounded)
        }
    }
}
