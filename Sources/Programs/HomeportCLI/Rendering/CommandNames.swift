import Homeport

/// The names of commands by their ids, from the ledger.
struct CommandNames: Sendable {
    /// Names that are kept, at most: a command has several acknowledgements, close to each other.
    private static let limit = 1_000

    private let home: Home
    private var known: [CommandID: CommandName] = [:]

    init(_ home: Home) { self.home = home }

    /// The name of a command of this controller; `nil` where the ledger does not have it, or cannot be
    /// read: its acknowledgements are shown without a name.
    mutating func name(of id: CommandID) async -> CommandName? {
        if let name = known[id] { return name }
        do throws(HomeError) {
            guard let name = try await home.command(id)?.intent.name else { return nil }
            if known.count == Self.limit { known = [:] }
            known[id] = name
            return name
        } catch {
            return nil
        }
    }
}
