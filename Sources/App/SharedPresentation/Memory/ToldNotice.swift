public import DeviceDomain

/// What a rule has told the user, or that too many such notices were dropped.
public struct ToldNotice: Hashable, Sendable, Identifiable {
    /// How many a home keeps.
    public static let limit = 20

    /// Counts them while the app runs, from 1 on.
    public let id: Int
    /// What the user calls the rule; `nil` where none has told it.
    public let rule: GivenName?
    /// What happened, for people.
    public let text: String
    /// When it was told (wire clock).
    public let at: Timestamp
}

extension HomeMemory {
    /// The user is told something.
    /// - Parameter rule: `nil` where no rule tells it.
    public func ruleTold(_ text: String, by rule: GivenName?, at moment: Timestamp) {
        let notice = ToldNotice(
            id: (told.first?.id ?? 0) + 1, rule: rule, text: text, at: moment)
        told = [notice] + told.prefix(ToldNotice.limit - 1)
    }
}
