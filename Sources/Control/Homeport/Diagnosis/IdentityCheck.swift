internal import DeviceDomain
internal import DeviceIdentity
internal import Keychain

/// What is wrong with the certificates of a home and the broker that was exported last. Changes nothing.
struct IdentityCheck: Sendable {
    /// From when on an ending certificate is told, before its end.
    private static let warningTime = Duration.seconds(30 * 86_400)

    let home: HomeID
    let now: Timestamp

    /// What was found; nothing where no broker was exported.
    func findings() async -> [Finding] {
        do {
            let authority = IdentityAuthority(
                home: home, keychain: try StandardKeychain.open(),
                folder: try StandardKeychain.stateFolder() + "/homeport/identity",
                clock: { [now] in now })
            return findings(of: try await authority.exportedState())
        } catch let error as IdentityError {
            return [unreadable(error.message)]
        } catch {
            // The keychain has a check of its own.
            return []
        }
    }

    private func findings(of state: ExportedBrokerState?) -> [Finding] {
        guard let state else { return [] }
        let files = state.files.compactMap { FilePermissions($0.path, isSecret: $0.isSecret) }
            .map { Finding.problem(.certificates, $0.message, remedy: $0.remedy) }
        let found = [unlisted(in: state), server(of: state)].compactMap(\.self) + files
        return found.isEmpty
            ? [.ok(.certificates, "the broker in \(state.folder) has the present revocation list")]
            : found
    }

    private func unlisted(in state: ExportedBrokerState) -> Finding? {
        guard let first = state.unlisted.first else { return nil }
        let others = state.unlisted.count > 1 ? " and \(state.unlisted.count - 1) more" : ""
        return .problem(
            .certificates,
            "the revocation list in \(state.folder) lacks the certificate \(first.serial) of "
                + "\(first.name)\(others): a broker with it accepts what was taken back",
            remedy: "homeport identity revoke \(first.serial) --export \(state.folder) writes the "
                + "list again; a broker that runs elsewhere reads it with --reload-pid PID"
        )
    }

    private func server(of state: ExportedBrokerState) -> Finding? {
        let remedy =
            "run 'homeport identity export \(state.folder) --listen HOST:PORT' again, and send the "
            + "broker SIGHUP"
        guard let server = state.server else {
            return .warning(
                .certificates,
                "the certificate of the broker in \(state.folder) is in no register, so that its end "
                    + "is not known", remedy: remedy)
        }
        let message = "the certificate of the broker in \(state.folder)"
        if server.state(at: now) == .revoked {
            return .problem(
                .certificates,
                "\(message) was taken back, and the broker goes on presenting it: no client looks "
                    + "into a revocation list for the certificate of a broker", remedy: remedy)
        }
        guard server.notAfter.since(now) < Self.warningTime else { return nil }
        if server.notAfter < now {
            return .problem(
                .certificates, "\(message) has ended: clients refuse it", remedy: remedy)
        }
        let days = Int(server.notAfter.since(now) / .seconds(86_400))
        return .warning(
            .certificates, "\(message) ends in \(days) days: clients refuse it then", remedy: remedy
        )
    }

    private func unreadable(_ message: String) -> Finding {
        .problem(
            .certificates, message,
            remedy: "restore the file from a copy, or close it to others with chmod")
    }
}
