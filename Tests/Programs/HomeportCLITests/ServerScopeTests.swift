import ArgumentParser
import Homeport
import Testing

@testable import HomeportCLI

/// Which calls a running server carries out.
@Suite struct ServerScopeTests {
    private static let server = [
        "serve", "--home=villa", "--database", "/tmp/x", "--ca-file", "a", "--mqtt-version", "5",
    ]

    @Test(arguments: [
        "history --home villa --database /tmp/x",
        "send lamp-1 set a=--b --home=villa --database=/tmp/x",
        "schedule list --home villa --database /tmp/x --json",
        "devices --home villa --database /tmp/x --ca-file=a --mqtt-version 5",
    ])
    func callsForItsHomeLedgerAndConnectionAreIncluded(line: String) throws {
        let announced = try #require(ServerScope(try Self.scope(Self.server).texts))
        #expect(announced.includes(try Self.scope(line.split(separator: " ").map(String.init))))
    }

    @Test(arguments: [
        "history --database /tmp/x", "history --home villa", "send lamp-1 locate",
        "history --home villa --database /tmp/y", "queue --home villa --database /tmp/x --config c",
        "undo lamp-1 --home villa --database /tmp/x --controller other",
        "devices --home villa --database /tmp/x --ca-file b",
        "devices --home villa --database /tmp/x --mqtt-version 3.1.1",
        "devices --home villa --database /tmp/x --key-file k",
        "devices --home villa --database /tmp/x --credentials-file k",
    ])
    func otherCallsAreNot(line: String) throws {
        let call = try Self.scope(line.split(separator: " ").map(String.init))
        #expect(!(try Self.scope(Self.server).includes(call)))
    }

    @Test(arguments: [
        ("devices", ServerUse.mayBeRepeated), ("devices --watch", .never), ("watch", .never),
        ("send a b", .mayHaveSent), ("undo a", .mayHaveSent), ("serve", .never),
        ("schedule list", .mayBeRepeated), ("audit verify", .never),
    ])
    func aVerbSaysWhetherAServerMayCarryItOut(line: String, use: ServerUse) throws {
        #expect(try Self.verb(line.split(separator: " ").map(String.init)).serverUse == use)
    }

    private static func scope(_ words: [String]) throws -> ServerScope {
        try ServerScope(try verb(words).options)
    }

    private static func verb(_ words: [String]) throws -> any HomeVerb {
        try #require(try HomeportCommand.parseAsRoot(words) as? any HomeVerb)
    }
}
