/// The words of a command line as the user typed them, up to the one that is completed.
struct CompletionLine: Hashable, Sendable {
    /// Options that take no value.
    private static let flags: Set<String> = [
        "--json", "--verbose", "--dry-run", "--watch", "--no-wait", "--version", "--help", "-h",
        "--all", "--moved", "--force",
    ]

    /// Whether `--wait` has a value, as it has with `send`.
    private let isWaitAnOption: Bool
    /// The words before the one that is completed, without program and verb.
    private let words: [String]
    /// The word that is completed, as far as it was typed.
    let current: String
    /// The name before `=`, where the shell completes only what follows the sign; else `nil`.
    let splitName: String?

    /// Joins what bash broke at `=` and `:`, and takes quotes and backslashes away.
    init(_ typed: [String], _ index: Int) {
        var joined: [String] = []
        var isOpen = false
        for word in typed.prefix(index + 1) {
            let isSign = word == "=" || word == ":"
            if let last = joined.indices.last, isSign || isOpen, last > 0 {
                joined[last] += word
            } else {
                joined.append(word)
            }
            isOpen = isSign
        }
        let current = joined.last ?? ""
        self.current = Self.unquoted(current)
        let isSplit = index < typed.count && current != typed[index] && current.contains("=")
        splitName = isSplit ? String(current.prefix { $0 != "=" }) : nil
        isWaitAnOption = joined.dropFirst().first == "send"
        words = joined.dropFirst(2).dropLast().map(Self.unquoted)
    }

    private static func unquoted(_ word: String) -> String {
        word.filter { !"\"'\\".contains($0) }
    }

    /// The option whose value is completed; `nil` if it is no option's.
    var option: String? {
        guard let last = words.last, takesValue(last) else { return nil }
        return words.dropLast().last.map(takesValue) == true ? nil : last
    }

    /// The words that are no options and no values of options.
    var positionals: [String] { parts.compactMap(\.positional) }

    /// The values of an option, in order.
    func values(of option: String) -> [String] {
        parts.compactMap { $0.option == option ? $0.value : nil }
    }

    private var parts: [Part] {
        var parts: [Part] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if takesValue(word) {
                parts.append(Part(option: word, value: rest.popFirst()))
            } else if word.hasPrefix("--"), let sign = word.firstIndex(of: "=") {
                let value = String(word[word.index(after: sign)...])
                parts.append(Part(option: String(word[..<sign]), value: value))
            } else if !word.hasPrefix("-") {
                parts.append(Part(positional: word))
            }
        }
        return parts
    }

    private func takesValue(_ word: String) -> Bool {
        if word == "--wait" { return isWaitAnOption }
        if word == "-o" { return true }
        return word.hasPrefix("--") && word.count > 2 && !word.contains("=")
            && !Self.flags.contains(word)
    }

    /// An option with its value, or a positional word.
    private struct Part {
        var option: String?
        var value: String?
        var positional: String?
    }
}
