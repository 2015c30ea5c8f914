import ArgumentParser
import Homeport
import LocalServices
import TestSupport
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

    /// The server reads the line, with the folder and the variables of the process that called.
    @Test func aCallMeansWhatItMeansWhereItWasWritten() throws {
        let scope = try Self.scope(["serve", "--database", "/srv/ledger"])
        let server = ServerAnnouncement(
            processID: 1, version: HomeportCommand.version, scope: scope,
            address: "mqtt://127.0.0.1:1884")
        let broker = ["HOMEPORT_BROKER": "mqtt://127.0.0.1:1884"]
        func serves(_ line: [String], _ variables: [String: String], in folder: String) throws
            -> Bool
        {
            server.serves(
                try Self.verb(line).options,
                from: CallPlace(variables: variables, folder: folder),
                at: MeetingPoint(environment: { _ in "/nonexistent" }))
        }
        let relative = ["history", "--database", "ledger"]
        #expect(try serves(relative, broker, in: "/srv"))
        #expect(try !serves(relative, broker, in: "/tmp"))
        #expect(try !serves(relative, ["HOMEPORT_BROKER": "mqtt://127.0.0.1:1885"], in: "/srv"))
        #expect(
            try !serves(relative, broker.merging(["HOMEPORT_HOME": "villa"]) { $1 }, in: "/srv"))
        let database = broker.merging(["HOMEPORT_DATABASE": "/srv/ledger"]) { $1 }
        #expect(try serves(["history"], database, in: "/tmp"))
    }

    /// A server that was started in a context is not that of another one, whichever is in use meanwhile.
    @Test func aCallMeansTheContextInUse() throws {
        let folder = try TemporaryFolder()
        func use(_ context: String) throws {
            try folder.file(
                "homeport.yaml",
                """
                context: \(context)
                contexts:
                  villa: {home: villa, broker: "mqtt://127.0.0.1:1884"}
                  cabin: {home: villa, broker: "mqtt://127.0.0.1:1885"}
                """)
        }
        let config = ["--config", "\(folder.path)/homeport.yaml", "--database", "/srv/ledger"]
        try use("villa")
        let options = try Self.verb(["serve"] + config).options.inContext()
        let server = ServerAnnouncement(
            processID: 1, version: HomeportCommand.version, scope: try ServerScope(options),
            address: "mqtt://127.0.0.1:1884")
        func serves(_ words: [String], _ variables: [String: String] = [:]) throws -> Bool {
            server.serves(
                try Self.verb(["history"] + config + words).options,
                from: CallPlace(variables: variables, folder: "/tmp"),
                at: MeetingPoint(environment: { _ in "/nonexistent" }))
        }
        #expect(try serves([]))
        #expect(try !serves([], ["HOMEPORT_HOME": "other"]))
        #expect(try serves(["--context", "villa"], ["HOMEPORT_HOME": "other"]))
        #expect(try !serves(["--home", "other"]))
        try use("cabin")
        #expect(try !serves([]))
        #expect(try serves(["--context", "villa"]))
        #expect(try !serves(["--context", "none"]))
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
