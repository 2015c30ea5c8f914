internal import DeviceDomain
public import Keychain

/// Joins access points by NetworkManager, with its program `nmcli`, which speaks to it over D-Bus. The access
/// point of a boxed device is a network with the name on the device's label, open or with the password there.
public struct NetworkManagerJoiner: AccessPointJoiner {
    /// What differs from the environment of this process where `nmcli` runs.
    private let variables: [String: String]

    public init() { self.init(variables: [:]) }

    /// - Parameter variables: what differs from the environment of this process where `nmcli` runs.
    package init(variables: [String: String]) { self.variables = variables }

    public func join(_ name: String, password: Secret?) async throws(ProvisioningError) {
        if await isJoined(name) { return }
        _ = try await nmcli(["device", "wifi", "rescan"], for: name, mayFail: true)
        let connect = ["device", "wifi", "connect", name, "name", name]
        guard let password else {
            _ = try await nmcli(connect, for: name)
            return
        }
        // Asked for, nmcli reads it from its input: other users see the arguments of a process.
        _ = try await nmcli(["--ask"] + connect, for: name, answering: password)
    }

    /// Removes the connection that ``join(_:)`` has made, whereupon NetworkManager returns to a known network.
    public func leave(_ name: String) async {
        guard await isJoined(name) else { return }
        do throws(ProvisioningError) {
            _ = try await nmcli(["connection", "delete", "id", name], for: name)
        } catch {
            // The device closes its access point by itself, and that ends the connection, too.
        }
    }

    private func isJoined(_ name: String) async -> Bool {
        do throws(ProvisioningError) {
            // Escaped, a name with a colon would not be the one that was asked for.
            return try await nmcli(
                [
                    "--terse", "--escape", "no", "--fields", "NAME", "connection", "show",
                    "--active",
                ],
                for: name
            ).split(separator: "\n").contains { $0 == name }
        } catch {
            return false
        }
    }

    /// - Returns: what it prints.
    /// - Throws: ``ProvisioningError`` `noAccessPoint`, saying what to do by hand.
    private func nmcli(
        _ arguments: [String], for name: String, answering password: Secret? = nil,
        mayFail: Bool = false
    ) async throws(ProvisioningError) -> String {
        let report: ChildProgram.Report?
        let hasPassword = password != nil
        do {
            report = try await ChildProgram.run(
                "nmcli", arguments, variables: variables, input: password)
        } catch {
            throw Self.byHand(name, hasPassword, "nmcli cannot be started: \(error)")
        }
        guard let report else {
            throw Self.byHand(name, hasPassword, "this machine has no NetworkManager")
        }
        guard report.status == 0 || mayFail else {
            let reason = report.error.split(separator: "\n").first ?? "Error: it gives no reason"
            throw Self.byHand(
                name, hasPassword, "NetworkManager: \(reason.trimmingPrefix("Error: "))")
        }
        return report.output
    }

    private static func byHand(
        _ name: String, _ hasPassword: Bool, _ reason: String
    ) -> ProvisioningError {
        let hint = hasPassword ? ", with the password on the device's label" : ""
        return ProvisioningError(
            .noAccessPoint, "cannot join the Wi-Fi network \(name)\(hint) (\(reason))",
            .joinAccessPoint)
    }
}
