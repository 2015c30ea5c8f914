internal import Basics

/// The tokens of links that have not been opened yet. Each of them lets one browser in.
final class LinkTokens: Sendable {
    /// How many are remembered; the oldest one is forgotten first.
    static let limit = 16

    private let tokens = Guarded<[SecureToken]>([])

    /// A token for another link.
    func issue() -> SecureToken {
        let token = SecureToken()
        tokens.withLock { tokens in
            tokens.append(token)
            if tokens.count > Self.limit { tokens.removeFirst() }
        }
        return token
    }

    /// Whether a token would let a browser in. Every one is compared, so that the time says nothing about
    /// which one matches.
    func contains(_ presented: String) -> Bool {
        tokens.withLock { tokens in
            tokens.reduce(false) { $1.isEqual(to: presented) || $0 }
        }
    }

    /// Uses a token up.
    /// - Returns: whether it was one.
    func use(_ presented: String) -> Bool {
        tokens.withLock { tokens in
            let count = tokens.count
            tokens.removeAll { $0.isEqual(to: presented) }
            return tokens.count < count
        }
    }
}
