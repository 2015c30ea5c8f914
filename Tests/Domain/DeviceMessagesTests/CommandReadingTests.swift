import DeviceDomain
import DeviceMessages
import Testing

/// The three verdicts of PROTOCOL section 3, rule 2.
@Suite struct CommandReadingTests {
    private static let id = "018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11"

    /// A good command, member by member, so that a test can spoil one of them.
    private static let members: [(name: String, json: String)] = [
        ("v", "1"), ("id", "\"\(id)\""), ("controller", "\"ctl-home\""),
        ("name", "\"start-cleaning\""), ("arguments", "{\"rooms\":[3,5]}"),
        ("issuedAt", "1764000000000"), ("expiresAt", "1764000030000"), ("sequence", "41"),
    ]

    private static func text(
        replacing name: String = "", with json: String? = nil, adding more: String = ""
    ) -> [UInt8] {
        let kept = members.compactMap { member in
            let value = member.name == name ? json : member.json
            return value.map { "\"\(member.name)\":\($0)" }
        }
        return Array("{\(kept.joined(separator: ","))\(more)}".utf8)
    }

    private func refusal(_ payload: [UInt8]) throws -> CommandRefusalReading {
        guard case .refused(let refusal) = CommandMessage.read(payload) else {
            throw Unexpected(reading: CommandMessage.read(payload))
        }
        #expect(refusal.id.text == Self.id)
        #expect(refusal.controller.text == "ctl-home")
        #expect(!refusal.message.isEmpty)
        return refusal
    }

    private func command(_ payload: [UInt8]) throws -> CommandMessage {
        guard case .command(let command) = CommandMessage.read(payload) else {
            throw Unexpected(reading: CommandMessage.read(payload))
        }
        return command
    }

    private func isUnreadable(_ payload: [UInt8]) -> Bool {
        if case .unreadable = CommandMessage.read(payload) { true } else { false }
    }

    @Test func theMembersAreRead() throws {
        let command = try command(
            Self.text(
                adding:
                    ",\"ifRevision\":118,\"boot\":\"b7\",\"cause\":\"undo\",\"dryRun\":true"))
        #expect(command.id.text == Self.id)
        #expect(command.controller.text == "ctl-home")
        #expect(command.name == .startCleaning)
        #expect(command.arguments == ["rooms": [3, 5]])
        #expect(command.issuedAt.milliseconds == 1_764_000_000_000)
        #expect(command.expiresAt.milliseconds == 1_764_000_030_000)
        #expect(command.sequence == 41)
        #expect(command.ifRevision == 118)
        #expect(command.boot?.text == "b7")
        #expect(command.cause == "undo")
        #expect(command.dryRun)
    }

    @Test func absentMembersHaveTheirDefaults() throws {
        let command = try command(Self.text())
        #expect(command.ifRevision == nil)
        #expect(command.boot == nil)
        #expect(command.cause == nil)
        #expect(!command.dryRun)
    }

    @Test(arguments: ["id", "controller"])
    func withoutASenderACommandIsUnreadable(name: String) {
        #expect(isUnreadable(Self.text(replacing: name)))
        #expect(isUnreadable(Self.text(adding: ",\"\(name)\":\"x\"")))
        #expect(
            isUnreadable(Self.text(adding: ",\"\\u\(name == "id" ? "0069d" : "0063ontroller")\":1"))
        )
        for json in [
            "null", "7", "\"\"", "[]", "\"A\"", "\"ctl/home\"", "\"+\"", "\"a\\u0000\"", "\"ä\"",
        ] {
            #expect(isUnreadable(Self.text(replacing: name, with: json)))
        }
    }

    @Test func twoEqualIDsAreDoubledToo() {
        #expect(isUnreadable(Self.text(adding: ",\"id\":\"\(Self.id)\"")))
        #expect(isUnreadable(Self.text(adding: ",\"controller\":\"ctl-home\"")))
    }

    @Test func anIDInUpperCaseOrOfAnotherVersionIsUnreadable() {
        #expect(isUnreadable(Self.text(replacing: "id", with: "\"\(Self.id.uppercased())\"")))
        #expect(
            isUnreadable(
                Self.text(replacing: "id", with: "\"018f3c1e-7b9a-4c2e-9d5e-3a1f0c9b7e11\"")))
    }

    @Test(arguments: ["", "[]", "null", "7", "\"{}\"", "{", "{}", "[{\"v\":1}]"])
    func whatIsNoObjectIsUnreadable(text: String) {
        #expect(isUnreadable(Array(text.utf8)))
    }

    @Test func brokenTextIsUnreadable() {
        #expect(isUnreadable(Self.text() + [0x7D]))
        #expect(isUnreadable([0xEF, 0xBB, 0xBF] + Self.text()))
        #expect(isUnreadable(Self.text(replacing: "name", with: "\"\\ud800\"")))
        #expect(isUnreadable(Self.text(replacing: "sequence", with: "NaN")))
        #expect(isUnreadable(Self.text(adding: ",\"x\":\"") + [0xFF, 0x22, 0x7D]))
        #expect(isUnreadable(Self.text(adding: ",\"unknown\":tru")))
    }

    @Test func tooLargeAndTooDeepAreUnreadable() {
        let long = ",\"cause\":\"\(String(repeating: "x", count: 65_536))\""
        #expect(isUnreadable(Self.text(adding: long)))
        let deep = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        #expect(isUnreadable(Self.text(adding: ",\"x\":\(deep)")))
    }

    @Test func depthSixteenIsRead() throws {
        let deep = String(repeating: "[", count: 15) + String(repeating: "]", count: 15)
        _ = try command(Self.text(adding: ",\"x\":\(deep)"))
    }

    @Test(arguments: ["0", "2", "-1", "2.0", "9007199254740991"])
    func anotherVersionIsUnsupported(json: String) throws {
        #expect(try refusal(Self.text(replacing: "v", with: json)).code == .unsupportedVersion)
    }

    @Test func anotherVersionComesBeforeEverythingElse() throws {
        let payload = Array(
            "{\"id\":\"\(Self.id)\",\"x\":1,\"x\":2,\"v\":2,\"controller\":\"ctl-home\"}".utf8)
        #expect(try refusal(payload).code == .unsupportedVersion)
    }

    @Test(arguments: ["null", "\"1\"", "1.5", "true", "[1]", "1e400", "1e300"])
    func aVersionThatIsNoIntegerIsABadRequest(json: String) throws {
        let refusal = try refusal(Self.text(replacing: "v", with: json))
        #expect(refusal.code == .badRequest)
        #expect(refusal.error.path == "v")
    }

    @Test func aDoubledVersionIsABadRequest() throws {
        for more in [",\"v\":1", ",\"v\":2"] {
            #expect(try refusal(Self.text(adding: more)).code == .badRequest)
        }
    }

    @Test func oneIsAnIntegerHoweverItIsWritten() throws {
        _ = try command(Self.text(replacing: "v", with: "1.0"))
        _ = try command(Self.text(replacing: "v", with: "10e-1"))
        #expect(try command(Self.text(replacing: "sequence", with: "4.1E1")).sequence == 41)
    }

    @Test(arguments: ["v", "name", "arguments", "issuedAt", "expiresAt", "sequence"])
    func aMissingMemberIsABadRequest(name: String) throws {
        let refusal = try refusal(Self.text(replacing: name))
        #expect(refusal.code == .badRequest)
        #expect(refusal.error.code == .missingMember)
        #expect(refusal.error.path == name)
    }

    @Test(arguments: [
        ("name", "7"), ("name", "null"), ("arguments", "[]"), ("arguments", "null"),
        ("arguments", "\"{}\""), ("issuedAt", "1764000000000.5"), ("issuedAt", "\"1764000000000\""),
        ("expiresAt", "1764000030000.25"), ("expiresAt", "true"), ("expiresAt", "1e16"),
        ("sequence", "0"), ("sequence", "-1"), ("sequence", "1.5"), ("sequence", "\"41\""),
        ("sequence", "9007199254740992"),
    ])
    func aMistypedMemberIsABadRequest(name: String, json: String) throws {
        let refusal = try refusal(Self.text(replacing: name, with: json))
        #expect(refusal.code == .badRequest)
        #expect(refusal.error.path == name)
    }

    @Test(arguments: [
        ("ifRevision", "null"), ("ifRevision", "1.5"), ("ifRevision", "\"1\""), ("boot", "null"),
        ("boot", "\"b 7\""), ("boot", "7"), ("cause", "null"), ("cause", "{}"), ("dryRun", "null"),
        ("dryRun", "0"), ("dryRun", "\"false\""),
    ])
    func aMistypedOptionalMemberIsABadRequest(name: String, json: String) throws {
        let refusal = try refusal(Self.text(adding: ",\"\(name)\":\(json)"))
        #expect(refusal.code == .badRequest)
        #expect(refusal.error.path == name)
    }

    @Test(arguments: [
        (",\"name\":\"stop\"", "name"), (",\"sequence\":41", "sequence"),
        (",\"unknown\":1,\"unknown\":1", "unknown"), (",\"u\":{\"id\":1,\"id\":1}", "u.id"),
    ])
    func anyOtherDuplicateIsABadRequest(more: String, path: String) throws {
        let refusal = try refusal(Self.text(adding: more))
        #expect(refusal.code == .badRequest)
        #expect(refusal.error.code == .duplicateMember)
        #expect(refusal.error.path == path)
    }

    @Test func aDuplicateWithinTheArgumentsIsABadRequest() throws {
        let refusal = try refusal(
            Self.text(replacing: "arguments", with: "{\"rooms\":[1],\"rooms\":[2]}"))
        #expect(refusal.error.path == "arguments.rooms")
    }

    @Test func anInfiniteNumberIsABadRequestEvenWhereItIsUnknown() throws {
        #expect(try refusal(Self.text(adding: ",\"x\":1e400")).error.code == .notFinite)
        #expect(
            try refusal(Self.text(replacing: "arguments", with: "{\"x\":-1e999}")).error.path
                == "arguments.x")
    }

    @Test func unknownMembersAreIgnored() throws {
        let command = try command(Self.text(adding: ",\"zzz\":{\"id\":null},\"ID\":7"))
        #expect(try CommandMessage(payload: Self.text()) == command)
    }

    @Test(arguments: [
        (0, true), (1, true), (86_400_000, true), (86_400_001, false), (-1, false),
    ])
    func aCommandExpiresFromItsIssueToADayAfter(milliseconds: Int, isRead: Bool) throws {
        let expiry = Self.text(
            replacing: "expiresAt", with: "\(1_764_000_000_000 + milliseconds)")
        if isRead {
            _ = try command(expiry)
        } else {
            #expect(try refusal(expiry).error.path == "expiresAt")
        }
    }

    @Test func extremeTimesDoNotOverflow() throws {
        let payload = Self.text(replacing: "issuedAt", with: "-9007199254740991")
        #expect(try refusal(payload).error.path == "expiresAt")
    }
}

private struct Unexpected: Error {
    let reading: CommandReading
}
