internal import Glibc

/// The `mosquitto.conf` of a home's broker.
struct BrokerConfiguration: Sendable {
    /// The folder of every file that it names.
    let folder: BrokerFolder
    let address: ListenerAddress
    /// The largest payload that it takes, in bytes.
    let messageSizeLimit: Int
    /// The plugin by which connections are ended; `nil` where this machine has none.
    let plugin: String?
    /// The account that the broker runs as; `nil` where it has no name.
    let user: String?

    /// Connections at the listener of devices at most, so that they leave some for controllers.
    private static let mostDevices = 10_000

    /// The contents of the file.
    var text: String {
        let common = [
            "# mosquitto -c \(folder[.configuration])",
            "# Written by 'homeport identity export', which replaces it.",
            "allow_anonymous false",
            "acl_file \(folder[.accessControl])",
            // A broker that root starts reads keys and lists again on SIGHUP as the account that owns them.
            user.map { "user \($0)" },
            "pid_file \(folder[.processID])",
            "persistence true",
            "persistence_location \(folder.path)/",
            "set_tcp_nodelay true",
            "max_inflight_messages 100",
            "max_queued_messages 100000",
            // Without a limit one client fills the memory of the broker and of its readers.
            "message_size_limit \(messageSizeLimit)",
            "log_dest stderr",
        ]
        let ending = plugin.map {
            [
                "", "# 'homeport identity revoke' ends connections by it.", "plugin \($0)",
                "plugin_opt_config_file \(folder[.plugin])",
            ]
        }
        let lines =
            common.compactMap(\.self) + (ending ?? [])
            + ["", "# Devices. The broker takes the name of the certificate as the client id."]
            + listener(.device)
            + ["use_username_as_clientid true", "max_connections \(Self.mostDevices)"]
            + ["", "# Controllers, which choose their client ids."] + listener(.controller)
        return lines.joined(separator: "\n") + "\n"
    }

    private func listener(_ kind: IdentityKind) -> [String] {
        [
            "listener \(address.port(of: kind)) \(address.host)",
            "cafile \(folder[.authority(kind)])",
            "certfile \(folder[.serverCertificate])",
            "keyfile \(folder[.serverKey])",
            "crlfile \(folder[.revocationList])",
            "tls_version tlsv1.2",
            "require_certificate true",
            "use_identity_as_username true",
        ]
    }

    /// The name of this process's account.
    static var currentUser: String? {
        getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
    }

    /// Where Debian, Fedora, Arch and Homebrew put mosquitto's plugin for dynamic security.
    static var installedPlugin: String? {
        let folders = [
            "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
            "/usr/lib/arm-linux-gnueabihf",
            "/usr/lib64", "/usr/lib", "/usr/local/lib", "/opt/homebrew/lib",
        ]
        return folders.map { "\($0)/mosquitto_dynamic_security.so" }
            .first { access($0, R_OK) == 0 }
    }
}
