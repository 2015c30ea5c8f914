import DeviceDomain
import Testing

@Suite struct IdentifierTests {
    /// Every byte in first and in a later place, against the rule as a regular expression.
    @Test func theGrammarIsItsRule() throws {
        try expectGrammar(HomeRole.self)
        try expectGrammar(DeviceRole.self)
        try expectGrammar(ControllerRole.self)
        try expectGrammar(EventRole.self)
        try expectGrammar(BootRole.self)
    }

    private func expectGrammar<Role: IdentifierRole>(_: Role.Type) throws {
        let rule = try Regex(Role.grammar.rule)
        for value in UInt8(0)...0x7F {
            let character = String(Unicode.Scalar(value))
            for text in [character, "a" + character, character + "a", "a" + character + "b"] {
                let isAllowed = text.wholeMatch(of: rule) != nil
                #expect((Identifier<Role>(rawValue: text) != nil) == isAllowed, "\(text)")
            }
        }
    }

    @Test func namesHaveAtMost63Characters() {
        #expect(DeviceID(rawValue: String(repeating: "a", count: 63)) != nil)
        #expect(DeviceID(rawValue: String(repeating: "a", count: 64)) == nil)
        #expect(EventName(rawValue: String(repeating: "a", count: 63)) != nil)
        #expect(EventName(rawValue: String(repeating: "a", count: 64)) == nil)
        #expect(BootID(rawValue: String(repeating: "a", count: 32)) != nil)
        #expect(BootID(rawValue: String(repeating: "a", count: 33)) == nil)
    }

    @Test(arguments: [
        "", "a/b", "+", "#", "a+", "A", "ä", "a\0", "水", "a b", "-a", "a_b", "\u{2010}",
    ])
    func otherTextsAreRefusedWithRoleAndRule(text: String) {
        let error = #expect(throws: InvalidIdentifier.self) { try DeviceID(text) }
        #expect(error?.text == text)
        #expect(error?.description.hasPrefix("device id ") == true)
        #expect(
            error?.description.contains("use 1 to 63 lowercase letters, digits and hyphens") == true
        )
    }

    @Test func anEventBeginsWithALetter() {
        #expect(EventName(rawValue: "1st") == nil)
        #expect(DeviceID(rawValue: "1st") != nil)
    }

    @Test func identifiersSortByTheirText() throws {
        let ids = try ["b", "a-2", "a-10", "0"].map { try DeviceID($0) }
        #expect(ids.sorted().map(\.text) == ["0", "a-10", "a-2", "b"])
    }
}
