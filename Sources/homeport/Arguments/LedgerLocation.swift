/// Where the ledger lies.
struct LedgerLocation: Hashable, Sendable {
    /// The database file.
    let path: String

    /// Chooses by CLI.md's order: option, `HOMEPORT_DATABASE`, the state folder of the user.
    /// - Parameter environment: reads a variable; unset and empty are `nil`.
    /// - Throws: ``Failure`` with ``VerbStatus/usage`` where the user has no home folder.
    init(option: String?, environment: (String) -> String?) throws(Failure) {
        if let named = option ?? environment("HOMEPORT_DATABASE") {
            path = named
        } else {
            path = try Self.stateFolder(environment) + "/homeport/ledger.sqlite"
        }
    }

    /// `$XDG_STATE_HOME` if it is absolute, as the XDG base directory specification asks, else its
    /// default.
    private static func stateFolder(
        _ environment: (String) -> String?
    ) throws(Failure) -> String {
        if let folder = environment("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
        if let home = environment("HOME"), home.hasPrefix("/") { return home + "/.local/state" }
        throw .usage("no folder for the ledger: HOME is not set; pass --database FILE")
    }
}
