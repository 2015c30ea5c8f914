package import Homeport

extension VerbOptions {
    /// The home by option, environment, configuration file or default.
    func resolvedHome(_ file: ConfigurationFile?) throws(CommandLineError) -> HomeID {
        try common.resolvedHome(file)
    }

    /// The controller by option, configuration file or default.
    func resolvedController(_ file: ConfigurationFile?) throws(CommandLineError) -> ControllerID {
        ledger.controller ?? file?.controller ?? HomeConfiguration.standardController
    }

    /// What energy costs by the configuration file; `nil` where that does not say it.
    package func energyTariff() throws(CommandLineError) -> EnergyTariff? {
        try common.configurationFile()?.energy
    }

    /// Where the ledger is: by option, environment, configuration file or default.
    func ledgerLocation(_ file: ConfigurationFile?) -> LedgerLocation {
        if let database = ledger.database { return .file(database) }
        if let named = Environment.value(of: "HOMEPORT_DATABASE") { return .file(named) }
        return file?.database.map(LedgerLocation.file) ?? .standard
    }
}

extension CommonOptions {
    /// The configuration file that is named, else the user's own where it exists.
    var configurationPath: String? { configurationPath(at: .own) }

    /// The configuration file of a call.
    func configurationPath(at place: CallPlace) -> String? {
        config ?? ConfigurationFile.usual(for: place)
    }

    /// The contents of that file.
    /// - Throws: ``CommandLineError`` with ``VerbStatus/wrongInput`` where something is wrong with it.
    func configurationFile() throws(CommandLineError) -> ConfigurationFile? {
        guard let path = configurationPath else { return nil }
        do {
            return try ConfigurationFile(path: path)
        } catch {
            throw CommandLineError(.wrongInput, error.message)
        }
    }

    /// The home by option, environment, configuration file or default.
    func resolvedHome(_ file: ConfigurationFile?) throws(CommandLineError) -> HomeID {
        if let home { return home }
        if let named = Environment.value(of: "HOMEPORT_HOME") {
            do {
                return try HomeID(named)
            } catch {
                throw .usage("HOMEPORT_HOME: \(error)")
            }
        }
        return file?.home ?? HomeConfiguration.standardHome
    }
}
