internal import DeviceDomain

/// The values of an attribute that show the effect of a command.
struct EffectProof: Hashable, Sendable {
    /// Which values do.
    enum Test: Hashable, Sendable {
        /// One of these.
        case oneOf([JSONValue])
        /// A number that is at most so far from another.
        case near(Double, within: Double)
        /// A number of which these bits have this value.
        case bits(Int, are: Int)
    }

    /// The attribute, which can be read.
    let path: AttributePath
    let test: Test
    /// Another attribute that shows the effect too, where the device reports that one first.
    private let others: [EffectProof]

    init(path: AttributePath, test: Test, or others: [EffectProof] = []) {
        self.path = path
        self.test = test
        self.others = others
    }

    /// The attributes that may show the effect.
    var paths: [AttributePath] { [path] + others.map(\.path) }

    /// Whether the value of an attribute shows the effect.
    func isMet(by value: JSONValue, of path: AttributePath) -> Bool {
        (path == self.path && matches(value))
            || others.contains { $0.isMet(by: value, of: path) }
    }

    private func matches(_ value: JSONValue) -> Bool {
        switch test {
        case .oneOf(let values): values.contains(value)
        case .near(let wanted, let tolerance):
            value.number.map { ($0 - wanted).magnitude <= tolerance } ?? false
        case .bits(let mask, let wanted): value.integer.map { $0 & mask == wanted } ?? false
        }
    }
}
