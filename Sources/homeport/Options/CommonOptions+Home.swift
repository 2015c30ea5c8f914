import DeviceDomain

extension CommonOptions {
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
