import Basics

/// A user and password of a private broker.
///
/// Prints as `<redacted>`, so that no log can hold the password by accident.
package struct BrokerCredentials: Sendable, Equatable {
    /// The user's name.
    package let username: String
    /// The password.
    package let password: String

    /// Credentials that are known already.
    package init(username: String, password: String) {
        self.username = username
        self.password = password
    }

    /// Credentials for a new broker, with 192 random bits from the system's secure generator.
    package static func random(for username: String) -> BrokerCredentials {
        let digits = (0..<3).map { _ in UInt64.random(in: .min ... .max).hexadecimal }
        return BrokerCredentials(username: username, password: digits.joined())
    }
}

extension BrokerCredentials: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package var description: String { "<redacted>" }
    package var debugDescription: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
