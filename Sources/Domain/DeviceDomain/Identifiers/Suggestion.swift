/// The known names that a person may have meant by a mistyped one.
package enum Suggestion {
    /// More candidates than this do not help.
    private static let most = 3
    /// Longer texts are not names; comparing them would take long.
    private static let longest = 64
    /// A prefix of this length is enough to recognise a name.
    private static let shortestBeginning = 3

    /// The names most similar to `text`: those with the fewest typing errors.
    ///
    /// One error is allowed for every three characters, at least one. Case is
    /// ignored.
    /// - Returns: at most three names, sorted; none if no name is similar enough, or too many are.
    package static func nearest(to text: String, among names: some Sequence<String>) -> [String] {
        let typed = Array(text.lowercased())
        guard !typed.isEmpty, typed.count <= longest else { return [] }
        var best: [String] = []
        var least = max(1, typed.count / 3)
        for name in Set(names) {
            let known = Array(name.lowercased())
            guard abs(known.count - typed.count) <= least else { continue }
            let distance = distance(typed, known)
            if distance > least { continue }
            if distance < least { best = [] }
            least = distance
            best.append(name)
        }
        if best.isEmpty { best = completions(of: text, among: names) }
        return best.count > most ? [] : best.sorted()
    }

    private static func completions(
        of beginning: String, among names: some Sequence<String>
    ) -> [String] {
        guard beginning.count >= shortestBeginning else { return [] }
        let beginning = beginning.lowercased()
        return Set(names).filter { $0.lowercased().hasPrefix(beginning) }
    }

    /// `; did you mean a, b or c?`, or an empty text if no name is similar enough.
    package static func question(about text: String, among names: some Sequence<String>) -> String {
        let names = nearest(to: text, among: names).map(\.quotedWhereNeeded)
        guard let last = names.last else { return "" }
        let others = names.dropLast().joined(separator: ", ")
        return "; did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
    }

    /// How many characters must be inserted, deleted, replaced, or swapped with their neighbour to turn
    /// `first` into `second`: the optimal string alignment distance.
    package static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in first.indices {
            var current = [row + 1]
            for column in second.indices {
                let isEqual = first[row] == second[column]
                var cost = min(
                    last[column] + (isEqual ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1],
                    first[row - 1] == second[column]
                {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}

extension String {
    /// The text in quotes if it begins or ends with a blank, which nobody sees without them.
    fileprivate var quotedWhereNeeded: String {
        first?.isWhitespace == true || last?.isWhitespace == true ? "\"\(self)\"" : self
    }
}
