import ArgumentParser
import Homeport
import Testing

@testable import HomeportCLI

@Suite struct ArgumentAssignmentTests {
    @Test(arguments: [
        ("level=max", "level", JSONValue.string("max")),
        ("level=\"max\"", "level", .string("max")),
        ("rooms=[3,5]", "rooms", .array([3, 5])),
        ("percent=80", "percent", .number(80)),
        ("x=-1.5", "x", .number(-1.5)),
        ("enabled=true", "enabled", .boolean(true)),
        ("program=null", "program", .null),
        ("note=", "note", .string("")),
        ("at=09:30", "at", .string("09:30")),
        ("a=b=c", "a", .string("b=c")),
        ("n=007", "n", .string("007")),
        ("n=1e999", "n", .string("1e999")),
        ("o={\"a\":1,\"a\":2}", "o", .string("{\"a\":1,\"a\":2}")),
        ("entries=[{\"weekday\":1}]", "entries", .array([.object(["weekday": 1])])),
    ])
    func valuesAreJSONWhereTheyParseAndTextsOtherwise(
        text: String, name: String, value: JSONValue
    ) throws {
        let assignment = try ArgumentAssignment(text)
        #expect(assignment.name == name)
        #expect(assignment.value == value)
    }

    @Test(arguments: ["level", "", "=max"])
    func aSettingWithoutNameOrSignIsRefused(text: String) {
        #expect(throws: ValidationError.self) { try ArgumentAssignment(text) }
    }

    @Test func oneNameGivenTwiceIsRefused() throws {
        let assignments = [try ArgumentAssignment("a=1"), try ArgumentAssignment("a=1")]
        let failure = #expect(throws: Failure.self) {
            try ArgumentAssignment.arguments(assignments)
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message.hasPrefix("a is given twice") == true)
    }

    @Test(arguments: ["n=[%]", "n=1%", "n=\"%\""])
    func aValueThatNoMessageHasRoomForIsToldWithSizeAndLimit(form: String) throws {
        let digits = String(repeating: "1", count: JSONLimits.wire.bytes)
        let text = form.replacing("%", with: digits)
        let assignment = try ArgumentAssignment(text)
        let failure = #expect(throws: Failure.self) {
            try ArgumentAssignment.arguments([assignment])
        }
        #expect(failure?.status == .wrongInput)
        #expect(failure?.message.contains("\(text.utf8.count - 2) bytes") == true)
        #expect(failure?.message.contains("65536") == true)
    }
}
