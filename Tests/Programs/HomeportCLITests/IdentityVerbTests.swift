import TestSupport
import Testing

/// `homeport identity` without a broker.
@Suite(.timeLimit(.minutes(1))) struct IdentityVerbTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    private func identity(_ words: String...) async throws -> Workplace.Run {
        try await workplace.homeport(["identity"] + words)
    }

    private func path(_ name: String) -> String { "\(workplace.folder.path)/\(name)" }

    /// A device with a certificate, and a broker.
    private func setUp() async throws {
        for words in [
            ["issue", "robot-1", "--directory", path("ids")],
            ["export", path("broker"), "--listen", "127.0.0.1:8883"],
        ] {
            let run = try await workplace.homeport(["identity"] + words)
            try #require(run.status == 0, "\(run)")
        }
    }

    @Test(arguments: ["brokr", "ids", ""])
    func aFolderWithoutAnExportIsRefusedBeforeAnythingIsRevoked(name: String) async throws {
        try await setUp()
        let run = try await identity("revoke", "robot-1", "--export", path(name))
        #expect(run.status == 65 && run.output.isEmpty, "\(run)")
        #expect(run.remarks.count == 1)
        #expect(run.errors.contains("holds no export of the home home-1, and nothing was revoked"))
        for left in ["brokr", "ids/acl", "acl"] { #expect(!workplace.folder.has(left)) }
        let list = try await identity("list", "--json")
        #expect(!list.output.contains("revoked"), "\(list)")
    }

    @Test func whoeverRunsABrokerFromACopyIsToldToCopyTheListAgain() async throws {
        try await setUp()
        let run = try await identity("revoke", "robot-1", "--export", path("broker"))
        #expect(run.status == 0 && run.output.contains("revoked"), "\(run)")
        #expect(run.remarks.count == 1)
        #expect(run.errors.contains("no running broker is known to read \(path("broker"))"))
        #expect(run.errors.contains("copy acl and crl.pem"))
    }

    @Test func aSerialNumberIsKnownInSmallLetters() async throws {
        try await setUp()
        let list = try await identity("list", "--json")
        let line = try #require(list.lines.first { $0.contains("robot-1") })
        let serial = try #require(line.split(separator: "\"").first { $0.utf8.count == 32 })
        let run = try await identity("revoke", serial.lowercased())
        #expect(run.status == 0 && run.output.contains(String(serial)), "\(run)")
    }

    @Test func anExportNeedsAFolder() async throws {
        let file = try workplace.folder.file("file", "")
        for folder in ["", file] {
            let run = try await identity("export", folder, "--listen", "127.0.0.1:8883")
            #expect(run.status == 65 && run.output.isEmpty, "\(run)")
            #expect(run.errors.contains("name a folder that you can write to"))
        }
    }
}
