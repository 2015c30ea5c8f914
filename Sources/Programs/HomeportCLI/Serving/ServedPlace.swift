import Glibc
import Homeport

/// Whose home a call works in, and with which ledger.
struct ServedPlace: Hashable, Sendable {
    /// The options that say how the broker is reached.
    static let connectionOptions: Set<String> = [
        "mqtt-version", "ca-file", "cert-file", "key-file", "tls-server-name", "credentials-file",
    ]
    /// Stands for what the configuration file says.
    private static let configured = "(configuration file)"

    /// `home`, `controller`, `database` and `config`; paths are absolute.
    let members: [String: String]

    /// What a call means, by its options, the environment and the defaults.
    /// - Throws: ``HomeError`` `configuration` where there is no place for a ledger.
    init(_ target: ServerTarget) throws(HomeError) {
        let options = target.options
        let config = options["config"] ?? ConfigurationFile.usual() ?? ""
        let fallback: (String) -> String = { config.isEmpty ? $0 : Self.configured }
        let named = options["database"] ?? Environment.value(of: "HOMEPORT_DATABASE")
        members = [
            "home": options["home"] ?? Environment.value(of: "HOMEPORT_HOME")
                ?? fallback("home-1"),
            "controller": options["controller"]
                ?? fallback(HomeConfiguration.standardController.text),
            "database": try Self.database(named, isConfigured: !config.isEmpty),
            "config": config.isEmpty ? "" : Self.absolute(config),
        ]
    }

    private static func database(
        _ named: String?, isConfigured: Bool
    ) throws(HomeError) -> String {
        if let named { return absolute(named) }
        guard !isConfigured else { return configured }
        return absolute(try LedgerLocation.standard.path() ?? "")
    }

    /// What an announcement says; `nil` where something is missing.
    init?(_ texts: [String: String]) {
        let names = ["home", "controller", "database", "config"]
        members = texts.filter { names.contains($0.key) }
        guard members.count == names.count else { return nil }
    }

    /// Whether a configuration file names the channels.
    var isConfigured: Bool { members["config"]?.isEmpty == false }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }
}
