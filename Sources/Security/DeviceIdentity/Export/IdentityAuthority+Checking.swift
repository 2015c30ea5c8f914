internal import DeviceDomain
internal import Glibc
internal import Keychain

/// What is to be said of the broker that was exported last.
public struct ExportedBrokerState: Sendable {
    /// The absolute path of its folder.
    public let folder: String
    /// The files in it, with whether one is a secret.
    public let files: [(path: String, isSecret: Bool)]
    /// Certificates of clients that were taken back, and that its revocation list lacks.
    public let unlisted: [IdentityRecord]
    /// The certificate that it presents, also one that was taken back; `nil` for one of an earlier version, which
    /// is in no register.
    public let server: IdentityRecord?
}

extension IdentityAuthority {
    /// Looks at the broker that was exported last.
    /// - Returns: `nil` if there is none, or its folder is gone.
    public func exportedState() async throws(IdentityError) -> ExportedBrokerState? {
        try await blocking { [register, now] () throws(IdentityError) in
            let register = try register.read()
            guard let folder = try register.exportedFolder else { return nil }
            let lists = try folder.read(.revocationList)
            let files = BrokerFolder.File.all.map { (folder[$0], $0 == .serverKey) }
            return ExportedBrokerState(
                folder: folder.path,
                files: files.filter { access($0.0, F_OK) == 0 },
                unlisted: register.records.filter {
                    $0.name.kind != .server && $0.state(at: now) == .revoked && $0.notAfter >= now
                        && !Certificates.hasEntry(lists, for: $0.serial)
                },
                server: register.server)
        }
    }
}
