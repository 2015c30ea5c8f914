/// A name of the protocol as a person reads it.
enum Title {
    /// As `State of charge` of `stateOfCharge`, `Charge limit` of `charge-limit`.
    static func of(_ name: String) -> String {
        let words = words(of: name)
        guard let first = words.first else { return name }
        return ([first.prefix(1).uppercased() + first.dropFirst()] + words.dropFirst())
            .joined(separator: " ")
    }

    /// The words of a name: parted by hyphens, underscores, spaces and capital letters.
    static func words(of name: String) -> [String] {
        var words: [String] = []
        var word = ""
        var wasCapital = false
        for character in name {
            if character == "-" || character == "_" || character == " " {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else if character.isUppercase, !wasCapital, !word.isEmpty {
                words.append(word)
                word = character.lowercased()
            } else {
                word += character.lowercased()
            }
            wasCapital = character.isUppercase
        }
        return word.isEmpty ? words : words + [word]
    }
}
