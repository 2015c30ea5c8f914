import Homeport

/// What a command line says about home, ledger and broker: which running server it could use.
///
/// It is read without the parser, so that a call of a server starts fast. The server parses the
/// command line and declines the call where it reads something else.
struct ServerTarget: Hashable, Sendable {
    /// The options that say it, without their dashes.
    private static let names: Set<String> = [
        "home", "config", "controller", "database", "broker", "mqtt-version", "ca-file",
        "cert-file", "key-file", "tls-server-name", "credentials-file",
    ]

    /// The values of those options that are given.
    let options: [String: String]

    /// Reads a command line.
    init(words: [String]) {
        var options: [String: String] = [:]
        var rest = words[...]
        while let word = rest.popFirst(), word != "--" {
            guard word.hasPrefix("--") else { continue }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1)
            guard let name = parts.first.map(String.init), Self.names.contains(name) else {
                continue
            }
            options[name] = parts.count > 1 ? String(parts[1]) : rest.popFirst() ?? ""
        }
        self.options = options
    }

    /// What the parser has read.
    init(_ options: VerbOptions) {
        let (common, ledger, broker) = (options.common, options.ledger, options.broker)
        let version = broker.mqttVersion.map { $0 == .v5 ? "5" : "3.1.1" }
        let values: [String: String?] = [
            "home": common.home?.text, "config": common.config,
            "controller": ledger.controller?.text, "database": ledger.database,
            "broker": broker.broker, "mqtt-version": version, "ca-file": broker.caFile,
            "cert-file": broker.certFile, "key-file": broker.keyFile,
            "tls-server-name": broker.tlsServerName, "credentials-file": broker.credentialsFile,
        ]
        self.options = values.compactMapValues(\.self)
    }
}
