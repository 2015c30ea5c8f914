internal import DeviceDomain
internal import DeviceMessages

extension JSONLine {
    /// The object as an element of a YAML sequence (YAML 1.2): what is not a plain word is quoted as in JSON, which
    /// is YAML too.
    var yamlLines: [String] {
        let lines = members.flatMap { member in
            switch member.value {
            case .plain(let value): Self.yaml(member.name, value, indent: "")
            case .line(let line): ["\(member.name):"] + line.yamlMembers(indent: "  ")
            }
        }
        guard let first = lines.first else { return ["- {}"] }
        return ["- \(first)"] + lines.dropFirst().map { "  \($0)" }
    }

    private func yamlMembers(indent: String) -> [String] {
        members.flatMap { member in
            switch member.value {
            case .plain(let value): Self.yaml(member.name, value, indent: indent)
            case .line(let line):
                ["\(indent)\(member.name):"] + line.yamlMembers(indent: indent + "  ")
            }
        }
    }

    private static func yaml(_ name: String, _ value: JSONValue, indent: String) -> [String] {
        let start = indent + text(.string(name)) + ":"
        if let members = value.object, !members.isEmpty {
            return [start]
                + members.sorted { $0.key < $1.key }.flatMap {
                    yaml($0.key, $0.value, indent: indent + "  ")
                }
        }
        if let items = value.array, !items.isEmpty {
            return [start] + items.map { "\(indent)  - \(text($0))" }
        }
        return ["\(start) \(text(value))"]
    }

    /// Words that YAML readers take for something else than a text.
    private static let reserved: Set<String> = [
        "true", "false", "null", "yes", "no", "on", "off", "y", "n",
    ]

    private static func text(_ value: JSONValue) -> String {
        if let word = value.string, let first = word.utf8.first, first.isLetter,
            word.utf8.allSatisfy(\.isPartOfWord), !reserved.contains(word.lowercased())
        {
            return word
        }
        return String(decoding: JSONWriter.write(value), as: UTF8.self).printable
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

    /// A letter, a digit, or one of `-_./`.
    fileprivate var isPartOfWord: Bool {
        isLetter || (0x30...0x39).contains(self) || self == 0x5F || (0x2D...0x2F).contains(self)
    }
}
