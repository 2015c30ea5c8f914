extension String {
    /// How often a text occurs.
    func components(of text: String) -> Int {
        var (count, rest) = (0, self[...])
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
