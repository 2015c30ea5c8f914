/// Names a secret: the service that uses it and the account there.
public struct SecretName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The service of secrets that the user names.
    public static let userService = "homeport"
    private static let longest = 255

    /// Who uses it.
    public let service: String
    /// Which one of its secrets.
    public let account: String

    /// - Throws: ``KeychainError`` `invalidName` unless both have 1 to 255 bytes and no control characters.
    public init(
        _ account: String, service: String = userService
    ) throws(KeychainError) {
        for part in [account, service] {
            guard (1...Self.longest).contains(part.utf8.count),
                !part.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
            else {
                throw KeychainError(
                    .invalidName,
                    "the name of a secret has 1 to 255 bytes and no control characters")
            }
        }
        self.account = account
        self.service = service
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.service, left.account) < (right.service, right.account)
    }

    public var description: String { account }
}
