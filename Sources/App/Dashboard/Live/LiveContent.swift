/// What a page shows at a moment.
struct LiveContent: Sendable {
    /// The parts that are replaced when they change.
    let parts: [LivePart]
    /// Stands for what the rest of the page depends on: when it changes, the page is read again.
    let shape: String
    /// Stands for all that the page shows: its shape, and the contents of its parts.
    let mark: String

    /// - Parameter shape: what the rest of the page depends on, beyond which parts there are.
    init(parts: [LivePart] = [], shape: String = "") {
        self.parts = parts
        let shapes = [shape] + parts.map(\.id)
        self.shape = Fingerprint(shapes.joined(separator: "\0").utf8).text
        let contents = parts.map(\.fingerprint.text).joined()
        mark = "\(self.shape)-\(Fingerprint(contents.utf8).text)"
    }

    /// Whether a mark is that of a content with the same shape.
    func hasShape(of mark: String) -> Bool {
        mark.split(separator: "-").first.map(String.init) == shape
    }
}
