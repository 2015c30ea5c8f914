internal import DeviceControl
public import DeviceMessages

extension Home {
    /// The id of the command that somebody means. It needs no connection.
    /// - Throws: ``HomeError`` `unknownCommand` where the ledger has none, or several end so; `ledger`.
    public func commandID(_ reference: CommandReference) async throws(HomeError) -> CommandID {
        switch reference {
        case .id(let id): return id
        case .latest:
            guard let newest = try await history(limit: 1).first else {
                throw HomeError(.unknownCommand, "no commands of \(id) are in the ledger yet")
            }
            return newest.id
        case .ending(let digits): return try await commandID(endingIn: digits)
        }
    }

    private func commandID(endingIn digits: String) async throws(HomeError) -> CommandID {
        let control = try await openedControl()
        let found: [CommandRecord]
        do {
            found = try await control.ledger.history(HistoryQuery(idEnding: digits, limit: 3))
        } catch {
            throw HomeError(error)
        }
        guard let only = found.first else {
            throw HomeError(
                .unknownCommand, "the ledger has no command whose id ends in \(digits)")
        }
        guard found.count == 1 else {
            let some = found.prefix(2).map { "\($0.id)" }.joined(separator: " and ")
            throw HomeError(
                .unknownCommand,
                "the ids of several commands end in \(digits), such as \(some); give more digits")
        }
        return only.id
    }
}
