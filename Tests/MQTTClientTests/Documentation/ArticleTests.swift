import Foundation
import Testing

/// The code in the articles and in the README is code that is compiled: word for word.
@Suite struct ArticleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let catalogue = root.appending(path: "Sources/MQTTClient/MQTTClient.docc")
    private static let samples = root.appending(path: "Tests/MQTTClientTests/Documentation")

    @Test func everyCodeBlockOfAnArticleIsACompiledSample() throws {
        let samples = try Set(Self.files(in: Self.samples, "swift").flatMap(Self.samples(in:)))
        var blocks = 0
        for article in try Self.files(in: Self.catalogue, "md") {
            for block in try Self.codeBlocks(in: article) {
                blocks += 1
                #expect(samples.contains(block), "\(article.lastPathComponent):\n\(block)")
            }
        }
        #expect(blocks >= 12)
    }

    @Test func everySampleStandsInAnArticle() throws {
        let blocks = try Set(Self.files(in: Self.catalogue, "md").flatMap(Self.codeBlocks(in:)))
        for file in try Self.files(in: Self.samples, "swift") {
            for sample in try Self.samples(in: file) {
                #expect(blocks.contains(sample), "\(file.lastPathComponent):\n\(sample)")
            }
        }
    }

    @Test func theREADMEShowsTheExampleThatIsBuilt() throws {
        let example = try String(
            contentsOf: Self.root.appending(path: "Examples/Sources/pubsub/PubSub.swift"),
            encoding: .utf8)
        let blocks = try Self.codeBlocks(in: Self.root.appending(path: "README.md"))
        #expect(blocks.contains(example.trimmingCharacters(in: .newlines)))
        #expect(example.split(separator: "\n", omittingEmptySubsequences: false).count <= 40)
    }

    private static func files(in folder: URL, _ suffix: String) throws -> [URL] {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        return files.filter { $0.pathExtension == suffix }
    }

    /// What stands between ```` ```swift ```` and the next fence.
    private static func codeBlocks(in file: URL) throws -> [String] {
        try between("```swift", "```", in: file)
    }

    /// What stands between `// sample: name` and `// end sample`.
    private static func samples(in file: URL) throws -> [String] {
        try between("// sample:", "// end sample", in: file)
    }

    private static func between(_ begin: String, _ end: String, in file: URL) throws -> [String] {
        var blocks: [String] = []
        var open: [Substring]?
        let text = try String(contentsOf: file, encoding: .utf8)
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.trimmingCharacters(in: .whitespaces)
            if let lines = open {
                guard words == end else {
                    open = lines + [line]
                    continue
                }
                blocks.append(dedented(lines))
                open = nil
            } else if words.hasPrefix(begin) {
                open = []
            }
        }
        return blocks
    }

    private static func dedented(_ lines: [Substring]) -> String {
        let margin =
            lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(margin)) }.joined(separator: "\n")
    }
}
