extension String {
    /// An identifier in kebab case: `WorkMode` and `work_mode` become `work-mode`, `RGBColor` becomes
    /// `rgb-color`, `block:Mode2` becomes `block-mode2`.
    package var kebabCase: String {
        var words: [String] = []
        var word = ""
        let characters = Array(self)
        func endWord() {
            if !word.isEmpty { words.append(word.lowercased()) }
            word = ""
        }
        for (place, character) in characters.enumerated() {
            guard character.isASCII, character.isLetter || character.isNumber else {
                endWord()
                continue
            }
            let former = place > 0 ? characters[place - 1] : nil
            let next = place + 1 < characters.count ? characters[place + 1] : nil
            let followsSmall = former.map { $0.isLowercase || $0.isNumber } ?? false
            let beginsAfterCapitals = (former?.isUppercase ?? false) && (next?.isLowercase ?? false)
            if character.isUppercase, followsSmall || beginsAfterCapitals { endWord() }
            word.append(character)
        }
        endWord()
        return words.joined(separator: "-")
    }

    /// The text, cut for a message.
    package var brief: String { count > 60 ? "\(prefix(60))…" : self }
}
