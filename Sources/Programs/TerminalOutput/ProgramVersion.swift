import CBuild

/// What a program says of its version.
package enum ProgramVersion {
    /// The release, as in `CHANGELOG.md`.
    package static let release = "0.1.0"
    /// The wire protocol, as in the topics.
    package static let protocolVersion = "v1"

    /// The commit that it was built from: 40 hexadecimal digits, with `-dirty` where files were changed since; `nil`
    /// for a build that was not told, as those without `make`.
    package static var commit: String? {
        let text = String(cString: cbuild_commit())
        return text.isEmpty ? nil : text
    }

    /// What a line that asks for the version gets; `nil` for any other line.
    /// - Parameter words: the line without the program.
    package static func lines(for words: [String]) -> [String]? {
        guard Set(words) == ["--version", "--verbose"] else { return nil }
        return [
            "release   \(release)", "commit    \(commit ?? "not known")",
            "protocol  \(protocolVersion)",
        ]
    }
}
