import Alink
import DeviceDomain
import Testing

@Suite struct ThingValueTests {
    static let mode = ThingType.choice([
        ThingChoice(number: 0, text: "quiet"), ThingChoice(number: 2, text: "turbo"),
    ])
    static let real = ThingType.real(minimum: nil, maximum: nil, step: 0)
    static let colour = ThingType.structure([
        ThingField("hue", .integer(minimum: 0, maximum: 360)), ThingField("value", real),
    ])

    @Test(
        arguments: [
            (ThingType.boolean, true, "1"), (.boolean, false, "0"), (mode, "turbo", "2"),
            (.integer(minimum: nil, maximum: nil), -7, "-7"), (real, 21, "21.0"),
            (real, -0.25, "-0.25"),
            (real, 1e-7, "0.0000001"), (real, -1.5e-9, "-0.0000000015"),
            (real, 1e21, "1000000000000000000000.0"), (real, 1.5e17, "150000000000000000.0"),
            (.text(longest: nil), "a\"b", #""a\"b""#),
            (.date, "1546300800000", #""1546300800000""#),
            (colour, ["value": 1, "hue": 7], #"{"hue":7,"value":1.0}"#),
            (.list(of: real, most: nil), [1, 2.5], "[1.0,2.5]"),
        ] as [(ThingType, JSONValue, String)])
    func valuesAreWritten(_ type: ThingType, _ value: JSONValue, _ wire: String) {
        #expect(type.wire(value) == wire)
    }

    @Test(
        arguments: [
            (ThingType.boolean, 1, true), (.boolean, "0", false), (.boolean, true, true),
            (mode, 2, "turbo"), (mode, "0", "quiet"), (mode, 9, "9"),
            (.integer(minimum: 0, maximum: 1), "42", 42), (real, "21.5", 21.5), (real, 3, 3),
            (.text(longest: nil), "12", "12"), (.date, 1_546_300_800_000, "1546300800000"),
            (colour, #"{"hue":7,"value":0.5,"more":1}"#, ["hue": 7, "value": 0.5]),
            (colour, ["hue": 7], ["hue": 7]),
            (.list(of: mode, most: nil), "[0,2]", ["quiet", "turbo"]),
        ] as [(ThingType, JSONValue, JSONValue)])
    func valuesAreReadFromPostsAndFromTexts(
        _ type: ThingType, _ wire: JSONValue, _ value: JSONValue
    ) {
        #expect(type.value(ofWire: wire) == value)
    }

    @Test(
        arguments: [
            (ThingType.boolean, 2), (.boolean, "yes"), (mode, "turbo"), (mode, 1.5),
            (.integer(minimum: nil, maximum: nil), 1.5), (real, "warm"), (.text(longest: nil), 1),
            (colour, #"{"hue":"x"}"#), (.list(of: mode, most: nil), [0, "x"]), (real, nil),
        ] as [(ThingType, JSONValue)])
    func valuesOfAnotherTypeAreNotRead(_ type: ThingType, _ wire: JSONValue) {
        #expect(type.value(ofWire: wire) == nil)
    }

    @Test func roundingOfAFloatAndOfTheStepIsNoDifference() {
        #expect(Self.real.shows(.number(Double(Float(21.1))), asked: 21.1))
        #expect(!Self.real.shows(21.2, asked: 21.1))
        let stepped = ThingType.real(minimum: 5, maximum: 35, step: 0.5)
        #expect(stepped.shows(21, asked: 21.2))
        #expect(!stepped.shows(20.5, asked: 21.2))
        #expect(Self.colour.shows(["hue": 7, "value": 1], asked: ["hue": 7]))
        #expect(!Self.colour.shows(["value": 1], asked: ["hue": 7]))
        #expect(!Self.mode.shows("quiet", asked: "turbo"))
    }
}
