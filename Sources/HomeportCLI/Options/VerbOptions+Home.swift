import Homeport

extension VerbOptions {
    /// The home by option, environment, configuration file or default.
    func resolvedHome(_ file: ConfigurationFile?) throws(Failure) -> HomeID {
        if let home = common.home { return home }
        if let named = Environment.value(of: "HOMEPORT_HOME") {
            return try Self.identifier(named, from: "HOMEPORT_HOME")
        }
        if let named = file?.home { return named }
        return HomeConfiguration.standardHome
    }

    /// The controller by option, configuration file or default.
    func resolvedController(_ file: ConfigurationFile?) throws(Failure) -> ControllerID {
        ledger.controller ?? file?.controller ?? HomeConfiguration.standardController
    }

    /// Where the ledger is: by option, environment, configuration file or default.
    func ledgerLocation(_ file: ConfigurationFile?) -> LedgerLocation {
        if let database = ledger.database { return .file(database) }
        if let named = Environment.value(of: "HOMEPORT_DATABASE") { return .file(named) }
        return file?.database.map(LedgerLocation.file) ?? .standard
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
