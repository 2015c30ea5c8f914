import DeviceDomain
import DeviceMessages
import Foundation
import Testing

@Suite struct JSONReaderTests {
    @Test(
        arguments: [
            ("null", JSONValue.null), (" true\n", true), ("false", false), ("0", 0), ("-0", 0),
            ("-12", -12), ("1.0", 1), ("1.5e3", 1500), ("25E-1", 2.5), ("1e+2", 100),
            ("0.1", 0.1),
            ("179769313486231570000e288", 1.7976931348623157e308),
            ("1e-400", 0),
            ("\"\"", ""), ("\"a\\u0041\\n\\/\\\"\\\\\"", "aA\n/\"\\"), ("\"\\ud83e\\uDD16\"", "🤖"),
            ("\"\\u0000\"", "\0"), ("\"水\"", "水"), ("[]", []), ("[1, [2], {}]", [1, [2], [:]]),
            ("{\"a\":{\"b\":[null]}}", ["a": ["b": [nil]]]),
            ("\t{ \"a\" : 1 , \"b\" : 2 }\r\n", ["a": 1, "b": 2]),
        ] as [(String, JSONValue)])
    func readsWhatIsJSON(text: String, value: JSONValue) throws {
        #expect(try JSONReader.read(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        "", " ", "nul", "True", "truefalse", "01", "-", "-01", "1.", ".5", "+1", "1e", "1e+", "0x1",
        "NaN", "Infinity", "-Infinity", "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12g4\"", "\"\\u\"",
        "\"\n\"", "\"\u{1}\"", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "]", "{", "{\"a\"",
        "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "{,}",
        "{\"a\":1]", "[1}", "1 2", "{} {}", "null,", "'a'", "/**/1", "1//", "\u{FEFF}1",
        "\u{A0}1", "\0", "1\0",
    ])
    func refusesWhatIsNotJSON(text: String) {
        let error = #expect(throws: PayloadError.self) {
            try JSONReader.read(Array(text.utf8))
        }
        #expect(error?.code == .malformed)
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xE2, 0x82, 0x22], [0x22, 0x80, 0x22],
        ] as [[UInt8]])
    func refusesWhatIsNotUTF8(bytes: [UInt8]) {
        let error = #expect(throws: PayloadError.self) { try JSONReader.read(bytes) }
        #expect(error?.code == .notUTF8)
    }

    @Test(arguments: [
        "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800x\"", "\"\\ud800\\n\"", "\"\\ud800\\u0041\"",
        "\"\\udc00\\ud800\"",
    ])
    func refusesHalfASurrogatePair(text: String) {
        let error = #expect(throws: PayloadError.self) { try JSONReader.read(Array(text.utf8)) }
        #expect(error?.code == .notUTF8)
    }

    @Test(
        arguments: [[0xFE, 0xFF, 0, 0x31], [0xFF, 0xFE, 0x31, 0], [0, 0x31], [0x31, 0]] as [[UInt8]]
    )
    func refusesUTF16(bytes: [UInt8]) {
        #expect(throws: PayloadError.self) { try JSONReader.read(bytes) }
    }

    @Test(arguments: [
        ("{\"a\":1,\"a\":1}", "a"), ("{\"a\":1,\"\\u0061\":2}", "\\u0061"),
        ("{\"b\":{\"a\":1,\"c\":[],\"a\":2}}", "b.a"),
        ("[{},{\"x\":[0,{\"y\":1,\"y\":1}]}]", "[1].x[1].y"),
    ])
    func refusesDuplicateMembersWithTheirPath(text: String, path: String) {
        let error = #expect(throws: PayloadError.self) { try JSONReader.read(Array(text.utf8)) }
        #expect(error?.code == .duplicateMember)
        #expect(error?.path == path)
    }

    @Test(arguments: ["1e400", "-1e400", "[1e309]", "1" + String(repeating: "0", count: 400)])
    func refusesNumbersBeyondADouble(text: String) {
        let error = #expect(throws: PayloadError.self) { try JSONReader.read(Array(text.utf8)) }
        #expect(error?.code == .notFinite)
    }

    @Test func manyMembersAreStillCheckedForDuplicates() throws {
        let names = (0..<2_000).map { "\"m\($0)\":0" }
        #expect(
            try JSONReader.read(Array("{\(names.joined(separator: ","))}".utf8)).object?.count
                == 2_000)
        let doubled = names + ["\"m1999\":0"]
        let payload = Array("{\"v\":1,\"nonce\":\"\",\(doubled.joined(separator: ","))}".utf8)
        let error = #expect(throws: PayloadError.self) { try FenceMessage(payload: payload) }
        #expect(error?.code == .duplicateMember)
        #expect(error?.path == "m1999")
    }

    @Test func depthIsLimitedToSixteen() throws {
        for (depth, isAllowed) in [(1, true), (16, true), (17, false), (60_000 / 2, false)] {
            let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            if isAllowed {
                _ = try JSONReader.read(Array(text.utf8))
            } else {
                let error = #expect(throws: PayloadError.self) {
                    try JSONReader.read(Array(text.utf8))
                }
                #expect(error?.code == .tooDeep)
            }
        }
    }

    @Test func bracketsInStringsAreNotDeep() throws {
        let text = "\"" + String(repeating: "[", count: 40) + "\\\"{{\""
        #expect(try JSONReader.read(Array(text.utf8)).string?.count == 43)
    }

    @Test func depthIsCheckedBeforeGrammar() {
        let error = #expect(throws: PayloadError.self) {
            try JSONReader.read(Array(("?" + String(repeating: "{", count: 17)).utf8))
        }
        #expect(error?.code == .tooDeep)
    }

    @Test func sizeIsLimitedTo64KiB() throws {
        func text(_ count: Int) -> [UInt8] { Array(repeating: 0x20, count: count - 1) + [0x31] }
        #expect(try JSONReader.read(text(65_536)) == 1)
        let error = #expect(throws: PayloadError.self) { try JSONReader.read(text(65_537)) }
        #expect(error?.code == .tooLarge)
    }

    @Test func anErrorTellsPlaceAndByte() {
        let error = #expect(throws: PayloadError.self) {
            try JSONReader.read(Array("{\"a\":[1,{\"b\":tru}]}".utf8))
        }
        #expect(error?.path == "a[1].b")
        #expect(error?.offset == 13)
        #expect(error?.description == "a[1].b: this is no JSON value (byte 13)")
    }

    @Test func numbersAreRoundedAsFoundationRoundsThem() throws {
        let texts = [
            "0.1", "1e23", "9007199254740993", "0.3333333333333333333333", "4.35", "5e-324",
            "2.4703282292062327e-324", "123456.789e-7", "8.5e22", "1.7976931348623158e308",
            "900719925474099267e-5", "1e22", "99999999999999999999",
        ]
        for text in texts {
            #expect(try JSONReader.read(Array(text.utf8)).number == Double(text))
        }
    }
}
