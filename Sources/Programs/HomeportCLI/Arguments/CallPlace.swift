import Glibc
import Homeport

/// Where a line of `homeport` was written: what decides with its options which home it means.
struct CallPlace: Hashable, Sendable {
    /// The variables that count.
    private static let names = [
        "HOME", "HOMEPORT_BROKER", "HOMEPORT_DATABASE", "HOMEPORT_HOME", "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
    ]

    /// The variables that are set and not empty.
    let variables: [String: String]
    /// The working directory; empty where it is gone.
    let folder: String

    /// That of this process.
    static var own: CallPlace {
        let folder = getcwd(nil, 0)
        defer { free(folder) }
        let values = names.map { ($0, Environment.value(of: $0)) }
        return CallPlace(
            variables: Dictionary(uniqueKeysWithValues: values).compactMapValues(\.self),
            folder: folder.map { String(cString: $0) } ?? "")
    }

    init(variables: [String: String], folder: String) {
        self.variables = variables
        self.folder = folder
    }

    /// Reads ``texts`` among the members of a line.
    init(_ texts: [String: String]) {
        variables = texts.filter { Self.names.contains($0.key) }
        folder = texts["folder"] ?? ""
    }

    /// As members of a line.
    var texts: [String: String] { variables.merging(["folder": folder]) { $1 } }

    /// The value of a variable; `nil` where it is unset or empty.
    func value(of name: String) -> String? { variables[name] }

    /// A path, or the URL of a database, as it is from any folder.
    func absolute(_ path: String) -> String {
        path.hasPrefix("/") || folder.isEmpty || LedgerLocation.isServer(path)
            ? path : "\(folder)/\(path)"
    }
}
