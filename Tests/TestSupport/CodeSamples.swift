internal import Foundation

/// Code that articles show and code that is compiled, to compare the two. Paths begin at the folder
/// of the package.
public struct CodeSamples: Sendable {
    private let catalogue: String
    private let sources: String

    /// - Parameters:
    ///   - catalogue: the folder of the articles.
    ///   - sources: the folder of the source files that hold the samples.
    public init(catalogue: String, sources: String) {
        self.catalogue = catalogue
        self.sources = sources
    }

    /// Every block of Swift code in the articles.
    public var shown: [String] {
        get throws { try Self.files(in: catalogue, "md").flatMap(Self.blocks) }
    }

    /// Every sample in the source files: what stands between `// sample: name` and
    /// `// end sample`.
    public var compiled: [String] {
        get throws {
            try Self.files(in: sources, "swift").flatMap {
                Self.parts(of: try Self.text(of: $0), from: "// sample:", to: "// end sample")
            }
        }
    }

    /// What stands between ```` ```swift ```` and the next fence.
    public static func blocks(in article: String) throws -> [String] {
        parts(of: try text(of: article), from: "```swift", to: "```")
    }

    /// The text of a file without empty lines at its ends.
    public static func text(of file: String) throws -> String {
        try String(contentsOf: root.appending(path: file), encoding: .utf8)
            .trimmingCharacters(in: .newlines)
    }

    /// The folder of the package.
    public static var folder: String { root.path }

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func files(in folder: String, _ suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { $0.hasSuffix(".\(suffix)") }.map { "\(folder)/\($0)" }
    }

    private static func parts(of text: String, from begin: String, to end: String) -> [String] {
        var parts: [String] = []
        var open: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.trimmingCharacters(in: .whitespaces)
            if let lines = open {
                guard words == end else {
                    open = lines + [line]
                    continue
                }
                parts.append(dedented(lines))
                open = nil
            } else if words.hasPrefix(begin) {
                open = []
            }
        }
        return parts
    }

    private static func dedented(_ lines: [Substring]) -> String {
        let margin =
            lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(margin)) }.joined(separator: "\n")
    }
}
