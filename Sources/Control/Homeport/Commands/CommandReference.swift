internal import DeviceControl
internal import DeviceDomain
public import DeviceMessages

/// How a person names a command: by its id, by the end of it, or as the newest one.
public enum CommandReference: Hashable, Sendable {
    /// The whole id.
    case id(CommandID)
    /// The last hexadecimal digits of the id, in lower case and without hyphens.
    case ending(String)
    /// The newest command of the controller in the home.
    case latest

    /// Fewer digits are soon not unique.
    static let fewestDigits = 6
    private static let mostDigits = 32

    /// Reads an id, its last 6 or more hexadecimal digits, or `last`; `nil` for anything else.
    public init?(_ text: String) {
        if let id = CommandID(text) {
            self = .id(id)
        } else if text == "last" {
            self = .latest
        } else {
            let digits = text.lowercased().filter { $0 != "-" }
            guard (Self.fewestDigits...Self.mostDigits).contains(digits.count),
                digits.utf8.allSatisfy(Self.isDigit)
            else { return nil }
            self = .ending(digits)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

extension CommandSending {
    /// The id of the command that somebody means.
    func id(_ reference: CommandReference) async throws(HomeError) -> CommandID {
        switch reference {
        case .id(let id): return id
        case .latest:
            let query = HistoryQuery(controller: controller, home: observation.home, limit: 1)
            guard let newest = try await history(query).first else {
                throw HomeError(
                    .unknownCommand, "no commands of \(observation.home) are in the ledger yet")
            }
            return newest.id
        case .ending(let digits): return try await id(endingIn: digits)
        }
    }

    private func id(endingIn digits: String) async throws(HomeError) -> CommandID {
        let found = try await history(HistoryQuery(idEnding: digits, limit: 3))
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
