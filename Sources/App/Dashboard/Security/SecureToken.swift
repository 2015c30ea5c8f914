internal import Basics
internal import Keychain

/// A secret that a browser presents: 256 bits from the system's random numbers.
struct SecureToken: Hashable, Sendable {
    /// The secret as 64 hexadecimal digits.
    let text: String

    /// A new one.
    init() {
        var generator = SystemGenerator()
        self.init(using: &generator)
    }

    /// A new one from a source of random numbers, for tests.
    init(using generator: inout some RandomNumberGenerator) {
        text = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }.hexadecimal
    }

    /// One that is made from a secret, which cannot be told from it.
    init(from secret: String, for purpose: String) {
        text = SecretDigest(of: secret, for: purpose).text
    }

    /// Whether a presented text is the secret. It takes the same time wherever they differ.
    func isEqual(to presented: String) -> Bool { Self.areEqual(text, presented) }

    /// Compares two secrets in a time that depends on their lengths alone.
    static func areEqual(_ expected: String, _ presented: String) -> Bool {
        let (expected, presented) = (Array(expected.utf8), Array(presented.utf8))
        guard expected.count == presented.count else { return false }
        return zip(expected, presented).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
