import Homeport

/// Which home, ledger and connection a call means, or a server works with.
struct ServerScope: Hashable, Sendable {
    /// Stands for what the configuration file says.
    private static let configured = "(configuration file)"

    let home: String
    let controller: String
    /// The absolute path of the ledger.
    let database: String
    /// The absolute path of the configuration file, which names the channels; empty for none.
    let config: String
    /// The options of the connection that were given, by their names with dashes.
    let connection: [String: String]

    /// What options, the environment and the defaults mean.
    /// - Parameter place: where the options were written.
    /// - Throws: ``HomeError`` `configuration` where there is no place for a ledger.
    init(_ options: VerbOptions, at place: CallPlace = .own) throws(HomeError) {
        let config = options.common.configurationPath(at: place)
        let standard: (String) -> String = { config == nil ? $0 : Self.configured }
        home =
            options.common.home?.text ?? place.value(of: "HOMEPORT_HOME")
            ?? standard(HomeConfiguration.standardHome.text)
        controller =
            options.ledger.controller?.text ?? standard(HomeConfiguration.standardController.text)
        if let named = options.ledger.database ?? place.value(of: "HOMEPORT_DATABASE") {
            database = place.absolute(named)
        } else if config != nil {
            database = Self.configured
        } else {
            database = place.absolute(
                try LedgerLocation.standard.path(environment: place.value(of:)) ?? "")
        }
        self.config = config.map(place.absolute) ?? ""
        connection = options.broker.connectionOptions
    }

    /// Reads ``texts``; `nil` where something is missing.
    init?(_ texts: [String: String]) {
        guard let home = texts["home"], let controller = texts["controller"],
            let database = texts["database"], let config = texts["config"]
        else { return nil }
        (self.home, self.controller) = (home, controller)
        (self.database, self.config) = (database, config)
        connection = texts.filter { $0.key.hasPrefix("--") }
    }

    /// As members of an announcement.
    var texts: [String: String] {
        let place = [
            "home": home, "controller": controller, "database": database, "config": config,
        ]
        return place.merging(connection) { $1 }
    }

    /// Whether a server with this scope may carry out a call with another one.
    func includes(_ call: ServerScope) -> Bool {
        home == call.home && controller == call.controller && database == call.database
            && config == call.config
            && call.connection.allSatisfy { connection[$0.key] == $0.value }
    }
}

extension BrokerOptions {
    /// The options that say how the broker is reached, where they are given.
    fileprivate var connectionOptions: [String: String] {
        let options: [String: String?] = [
            "--mqtt-version": mqttVersion.map { $0 == .v5 ? "5" : "3.1.1" }, "--ca-file": caFile,
            "--cert-file": certFile, "--key-file": keyFile, "--tls-server-name": tlsServerName,
            "--credentials-file": credentialsFile,
        ]
        return options.compactMapValues(\.self)
    }
}
