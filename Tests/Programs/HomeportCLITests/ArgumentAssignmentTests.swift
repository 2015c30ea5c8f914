import ArgumentParser
import Homeport
import Testing

@testable import HomeportCLI

@Suite struct ArgumentAssignmentTests {
    @Test(arguments: [
        ("level=max", "level", "max"), ("note=", "note", ""), ("a=b=c", "a", "b=c"),
        ("n=\"1\"", "n", "\"1\""), ("rooms=[3,5]", "rooms", "[3,5]"),
    ])
    func whatWasTypedIsKept(assignment: String, name: String, text: String) throws {
        let assignment = try ArgumentAssignment(assignment)
        #expect(assignment.name == name)
        #expect(assignment.text == text)
    }

    @Test(arguments: ["level", "", "=max"])
    func aSettingWithoutNameOrSignIsRefused(text: String) {
        #expect(throws: ValidationError.self) { try ArgumentAssignment(text) }
    }

    @Test func oneNameGivenTwiceIsRefused() throws {
        let assignments = [try ArgumentAssignment("a=1"), try ArgumentAssignment("a=1")]
        let failure = #expect(throws: CommandLineError.self) {
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
        let failure = #expect(throws: CommandLineError.self) {
            try ArgumentAssignment.arguments([assignment])
        }
        #expect(failure?.status == .wrongInput)
        #expect(failure?.message.contains("\(text.utf8.count - 2) bytes") == true)
        #expect(failure?.message.contains("65536") == true)
    }
}
