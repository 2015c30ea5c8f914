package import Homeport

extension VerbOptions {
    /// The same with what the context of the call says, where no option does; a variable comes before the context
    /// that is only in use.
    /// - Parameter place: where the options were written; `nil` for this process.
    /// - Throws: ``CommandLineError`` with ``VerbStatus/wrongInput`` for a context that is not there, and a wrong
    ///   file.
    func inContext(at place: CallPlace? = nil) throws(CommandLineError) -> VerbOptions {
        try inContext(of: try common.configurationFile(at: place), at: place)
    }

    /// The same where the file was read already.
    func inContext(
        of file: ConfigurationFile?, at place: CallPlace? = nil
    ) throws(CommandLineError) -> VerbOptions {
        guard let context = try common.meantContext(in: file) else { return self }
        let variables = place ?? .own
        var options = self
        options.common = common.taking(context.home, unlessIn: variables)
        if common.contextCounts(before: "HOMEPORT_BROKER", in: variables) {
            options.broker.broker = broker.broker ?? context.broker
        }
        if common.contextCounts(before: "HOMEPORT_DATABASE", in: variables) {
            options.ledger.database = ledger.database ?? context.database
        }
        options.ledger.controller = ledger.controller ?? context.controller
        return options
    }

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
        if let database = ledger.database { return LedgerLocation(named: database) }
        if let named = Environment.value(of: "HOMEPORT_DATABASE") {
            return LedgerLocation(named: named)
        }
        return file?.database.map(LedgerLocation.init(named:)) ?? .standard
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
    /// - Parameter place: where the options were written; `nil` for this process.
    /// - Throws: ``CommandLineError`` with ``VerbStatus/wrongInput`` where something is wrong with it.
    func configurationFile(
        at place: CallPlace? = nil
    ) throws(CommandLineError) -> ConfigurationFile? {
        guard let path = configurationPath(at: place ?? .own) else { return nil }
        return try CommandLineError.ofConfiguration { () throws(HomeError) in
            try ConfigurationFile(path: place?.absolute(path) ?? path)
        }
    }

    /// The same with the home of the context, as ``VerbOptions/inContext(at:)``.
    func inContext() throws(CommandLineError) -> CommonOptions {
        guard let context = try meantContext(in: try configurationFile()) else { return self }
        return taking(context.home, unlessIn: .own)
    }

    /// The same with a context's home, unless an option or variable names one.
    fileprivate func taking(_ home: HomeID?, unlessIn place: CallPlace) -> CommonOptions {
        var options = self
        if contextCounts(before: "HOMEPORT_HOME", in: place) { options.home = self.home ?? home }
        return options
    }

    /// Whether what a context says comes before a variable: where it was named, or the variable is not set.
    fileprivate func contextCounts(before variable: String, in place: CallPlace) -> Bool {
        context != nil || place.value(of: variable) == nil
    }

    /// The context that a call means; `nil` where it means none.
    fileprivate func meantContext(
        in file: ConfigurationFile?
    ) throws(CommandLineError) -> ConfiguredContext? {
        guard let file else {
            guard let context else { return nil }
            throw CommandLineError(
                .wrongInput,
                "there is no configuration file, and so no context \(context); name the file with --config"
            )
        }
        return try CommandLineError.ofConfiguration { () throws(HomeError) in
            try file.context(context)
        }
    }

    /// The home by option, context, environment, configuration file or default.
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

extension CommandLineError {
    /// Gives an error of a configuration file this type.
    static func ofConfiguration<Value>(
        _ body: () throws(HomeError) -> Value
    ) throws(CommandLineError) -> Value {
        do {
            return try body()
        } catch {
            throw CommandLineError(.wrongInput, error.message)
        }
    }
}
