public import DeviceDomain

/// What a rule has told the user.
public struct ToldNotice: Hashable, Sendable, Identifiable {
    /// How many a home keeps.
    public static let limit = 20

    /// Counts them while the app runs, from 1 on.
    public let id: Int
    /// What happened, for people.
    public let text: String
    /// When it was told (wire clock).
    public let at: Timestamp
}

extension HomeMemory {
    /// A rule tells the user something.
    public func ruleTold(_ text: String, at moment: Timestamp) {
        let notice = ToldNotice(id: (told.first?.id ?? 0) + 1, text: text, at: moment)
        told = [notice] + told.prefix(ToldNotice.limit - 1)
    }
}
