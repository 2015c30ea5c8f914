import ArgumentParser
import DeviceDomain

/// Whose devices, on whose behalf, remembered where.
struct HomeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The home.", discussion: "Default: HOMEPORT_HOME, else home-1.", valueName: "id"),
        transform: Parsing.identifier)
    var home: HomeID?

    @Option(
        help: ArgumentHelp(
            "Who the commands come from: names the ledger's owner and the ack topic.",
            discussion: "Default: homeport.", valueName: "id"),
        transform: Parsing.identifier)
    var controller: ControllerID?

    @Option(
        help: ArgumentHelp(
            "The ledger.",
            discussion: """
                Default: HOMEPORT_DATABASE, else $XDG_STATE_HOME/homeport/ledger.sqlite.
                """,
            valueName: "file"),
        completion: .file())
    var database: String?
}

extension HomeOptions {
    /// The home by option, environment or default.
    func resolvedHome() throws(Failure) -> HomeID {
        if let home { return home }
        return try Self.identifier(
            Environment.value(of: "HOMEPORT_HOME") ?? "home-1", from: "HOMEPORT_HOME")
    }

    /// The controller by option or default.
    func resolvedController() throws(Failure) -> ControllerID {
        if let controller { return controller }
        return try Self.identifier("homeport", from: "the default controller")
    }

    /// Where the ledger lies.
    func ledgerLocation() throws(Failure) -> LedgerLocation {
        try LedgerLocation(option: database, environment: Environment.value)
    }

    private static func identifier<Role>(
        _ text: String, from source: String
    ) throws(Failure) -> Identifier<Role> {
        do {
            return try Identifier(text)
        } catch {
            throw .usage("\(source): \(error)")
        }
    }
}
