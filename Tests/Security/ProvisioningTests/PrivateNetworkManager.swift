import Glibc
import TestSupport
import Testing

/// A NetworkManager on a system bus of the test's own, both played by programs of Debian: the `dbus-daemon`, and
/// the template `networkmanager` of python-dbusmock, which the bus starts at the first call.
struct PrivateNetworkManager {
    private static let name = "org.freedesktop.NetworkManager"
    private static let path = "/org/freedesktop/NetworkManager"
    private static let device = "\(path)/Devices/wlan0"

    /// The variable that leads `nmcli` to the bus.
    var variables: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": address] }

    private let address: String

    /// Whether this machine has what it needs.
    static var isInstalled: Bool {
        let files: [String] = [
            "/usr/bin/nmcli", "/usr/bin/dbus-daemon", "/usr/bin/dbus-send",
            "/usr/lib/python3/dist-packages/dbusmock/templates/networkmanager.py",
        ]
        return files.allSatisfy { access($0, R_OK) == 0 }
    }

    /// Runs `body` beside a bus, and beside a NetworkManager with one Wi-Fi device unless told otherwise.
    static func with(
        manager: Bool = true, _ body: (PrivateNetworkManager) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let address = "unix:path=\(folder.path)/bus"
        _ = try folder.folder("services")
        try folder.file("bus.conf", configuration(address, services: "\(folder.path)/services"))
        if manager { try folder.file("services/manager.service", service(address)) }
        _ = try await ChildProcess.run(
            "dbus-daemon",
            ["--config-file=\(folder.path)/bus.conf", "--nofork", "--print-address"],
            reading: .output
        ) { bus in
            try await bus.line(beginning: "unix:")
            let network = PrivateNetworkManager(address: address)
            if manager {
                try await network.play(
                    "AddWiFiDevice", "string:wlan0", "string:wlan0", "int32:30")
            }
            try await body(network)
            // The mock ends with the bus.
            bus.interrupt()
        }
    }

    /// Puts an access point in sight, open or with WPA2 and a password.
    func addAccessPoint(_ name: String, isSecured: Bool = false) async throws {
        try await play(
            "AddAccessPoint", "string:\(Self.device)", "string:ap", "string:\(name)",
            "string:02:00:00:00:00:01", "uint32:2", "uint32:2412", "uint32:5400", "byte:80",
            "uint32:\(isSecured ? 0x100 : 0)")
    }

    /// The password that the first connection was made with.
    func passwordOfConnection() async throws -> String? {
        let calls = try await call(
            Self.path, "org.freedesktop.DBus.Mock.GetMethodCalls",
            "string:AddAndActivateConnection")
        let lines = calls.split(separator: "\n")
        guard let key = lines.firstIndex(where: { $0.contains(#"string "psk""#) }) else {
            return nil
        }
        let value = lines[lines.index(after: key)]
        guard let start = value.firstRange(of: #"string ""#) else { return nil }
        return String(value[start.upperBound...].dropLast())
    }

    /// From now on a user may not join networks.
    func refuseJoining() async throws {
        try await play(
            "AddMethod", "string:\(Self.name)", "string:AddAndActivateConnection",
            "string:a{sa{sv}}oo", "string:oo",
            "string:raise dbus.exceptions.DBusException('Insufficient privileges', "
                + "name='\(Self.name).PermissionDenied')")
    }

    /// How many connections it knows, and how many of them are active.
    func connections() async throws -> (known: Int, active: Int) {
        let known = try await property(
            "Connections", of: "\(Self.name).Settings", at: "\(Self.path)/Settings")
        let active = try await property("ActiveConnections", of: Self.name, at: Self.path)
        return (known, active)
    }

    /// How many paths a property holds.
    private func property(
        _ name: String, of interface: String, at path: String
    ) async throws -> Int {
        let answer = try await call(
            path, "org.freedesktop.DBus.Properties.Get", "string:\(interface)", "string:\(name)")
        return answer.split(separator: "\n").filter { $0.contains("object path") }.count
    }

    private func play(_ method: String, _ arguments: String...) async throws {
        _ = try await call(Self.path, "org.freedesktop.DBus.Mock.\(method)", arguments)
    }

    private func call(
        _ path: String, _ method: String, _ arguments: String...
    ) async throws -> String { try await call(path, method, arguments) }

    private func call(
        _ path: String, _ method: String, _ arguments: [String]
    ) async throws -> String {
        let run = try await ChildProcess.runToEnd(
            "dbus-send",
            ["--bus=\(address)", "--dest=\(Self.name)", "--print-reply", path, method] + arguments)
        try #require(run.status == 0, "\(method): \(run.errors)")
        return run.output
    }

    private static func configuration(_ address: String, services: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>session</type>
          <listen>\(address)</listen>
          <servicedir>\(services)</servicedir>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/>
            <allow eavesdrop="true"/>
            <allow own="*"/>
          </policy>
        </busconfig>
        """
    }

    private static func service(_ address: String) -> String {
        """
        [D-BUS Service]
        Name=\(name)
        Exec=/usr/bin/env DBUS_SYSTEM_BUS_ADDRESS=\(address) /usr/bin/python3 -m dbusmock --system \
        --template networkmanager
        """
    }
}
