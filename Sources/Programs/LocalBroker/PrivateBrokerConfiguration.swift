import Basics
import Glibc
package import LocalServices

/// How a private broker is started.
package struct PrivateBrokerConfiguration: Sendable {
    /// Folders searched for `mosquitto`, in order.
    package var searchPath: [String]
    /// The `setpriv` program: a name looked up in `PATH`, or a path.
    package var setpriv: String
    /// QoS 1 and 2 messages on their way to one client at once.
    package var maxInflightMessages: Int
    /// Messages held for one client beyond those; the broker's own 100 would drop bursts of a fleet.
    package var maxQueuedMessages: Int
    /// Users beside the owner.
    package var users: [BrokerCredentials] = []
    /// What users may do, in the form of mosquitto's `acl_file`, in addition to the owner.
    package var accessControl = ""
    /// Receives each line that the broker writes, without its time stamp.
    package var log: @Sendable (String) -> Void

    /// Creates a configuration that fits a fleet of thousands on one machine.
    ///
    /// - Parameters:
    ///   - searchPath: folders searched for `mosquitto`; by default `PATH` and the system folders
    ///     that an ordinary user's `PATH` lacks.
    ///   - setpriv: the `setpriv` program of util-linux.
    ///   - maxInflightMessages: 100 is where throughput at QoS 1 levels off.
    ///   - maxQueuedMessages: enough for a burst of every retained topic of a large fleet.
    ///   - log: receives the broker's warnings and errors.
    package init(
        searchPath: [String] = Self.defaultSearchPath,
        setpriv: String = "setpriv",
        maxInflightMessages: Int = 100,
        maxQueuedMessages: Int = 100_000,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.searchPath = searchPath
        self.setpriv = setpriv
        self.maxInflightMessages = maxInflightMessages
        self.maxQueuedMessages = maxQueuedMessages
        self.log = log
    }

    /// The largest payload of the wire protocol (PROTOCOL section 2), in bytes.
    private static let messageSizeLimit = 65_536

    /// The folders of `PATH`, then those where distributions put daemons.
    package static var defaultSearchPath: [String] {
        let path = ProcessEnvironment.value(of: "PATH") ?? ""
        let folders = path.split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        return folders + ["/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin"]
    }

    /// The text of the `mosquitto.conf` for one start.
    ///
    /// - Parameters:
    ///   - port: the loopback port to listen on.
    ///   - access: who may connect and do what.
    ///   - user: the account that the broker runs as, nil where it has no name. Named so that a
    ///     broker started by root stays root: changing user would clear its parent-death signal.
    func mosquittoText(port: UInt16, access: AccessFiles, user: String?) -> String {
        let lines = [
            "listener \(port) 127.0.0.1",
            "allow_anonymous false",
            "password_file \(access.passwords)",
            "acl_file \(access.accessControl)",
            "set_tcp_nodelay true",
            user.map { "user \($0)" },
            "persistence false",
            "max_connections -1",
            "max_keepalive 65535",
            "max_inflight_messages \(maxInflightMessages)",
            "max_queued_messages \(maxQueuedMessages)",
            "max_queued_bytes 0",
            "message_size_limit \(Self.messageSizeLimit)",
            "connection_messages false",
            "log_dest stderr",
            "log_timestamp false",
            "log_type error",
            "log_type warning",
            "log_type information",
        ]
        return lines.compactMap { $0 }.joined(separator: "\n") + "\n"
    }
}
