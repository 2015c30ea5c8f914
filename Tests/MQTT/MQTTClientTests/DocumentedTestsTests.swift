import Foundation
import Testing

/// The documents that name tests only name tests that exist.
@Suite struct DocumentedTestsTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test(arguments: ["mqtt-traps.md", "mqtt-conformance.md", "command-conformance.md"])
    func everyTestThatIsNamedExists(document: String) throws {
        let named = try Self.names(in: document)
        let suites = try Self.suites()
        #expect(!named.isEmpty)
        for name in named {
            let parts = name.split(separator: ".")
            let source = try #require(suites[String(parts[0])], "\(parts[0]) does not exist")
            guard parts.count == 2 else { continue }
            #expect(source.contains("func \(parts[1])("), "\(name) does not exist")
        }
    }

    @Test(arguments: [
        ("mqtt-traps.md", 20), ("mqtt-conformance.md", 20), ("command-conformance.md", 9),
    ])
    func everyRowNamesATestOrAReason(document: String, least: Int) throws {
        let rows = try Self.text(of: document).split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(rows.count > least)
        for row in rows {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            #expect(cells.count == 4, "\(row)")
            #expect(cells[2].contains { !$0.isWhitespace }, "nothing holds \(cells[1])")
        }
    }

    /// A cell's `Suite` and `Suite.test`.
    private static func names(in document: String) throws -> [String] {
        try text(of: document).matches(of: /`([A-Z][A-Za-z0-9]*Tests(?:\.[a-z][A-Za-z0-9]*)?)`/)
            .map { String($0.1) }.filter { $0 != "MQTTClientTests" }
    }

    private static func text(of document: String) throws -> String {
        try String(contentsOf: root.appending(path: "docs/\(document)"), encoding: .utf8)
    }

    /// The text of the files in which each suite is declared or extended.
    private static func suites() throws -> [String: String] {
        let tests = root.appending(path: "Tests")
        let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
        var suites: [String: String] = [:]
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /(?:struct|extension) ([A-Z][A-Za-z0-9]*Tests)\b/) {
                suites[String(match.1), default: ""] += text
            }
        }
        return suites
    }
}
