import ArgumentParser
import Homeport

/// Whose ledger a verb reads or writes, and where it is.
struct LedgerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Who the commands come from: names the ledger's owner and the ack topic.",
            discussion: "Default: homeport.", valueName: "id"),
        transform: Parsing.identifier)
    var controller: ControllerID?

    @Option(
        help: ArgumentHelp(
            "The ledger: a file, or a PostgreSQL database.",
            discussion: """
                As postgresql://USER@HOST/DATABASE; a password belongs into ~/.pgpass. Default: \
                HOMEPORT_DATABASE, else $XDG_STATE_HOME/homeport/ledger.sqlite.
                """,
            valueName: "file-or-url"),
        completion: .file())
    var database: String?

    func validate() throws {
        if database?.isEmpty == true {
            throw ValidationError("--database names no file: it is empty")
        }
    }
}
