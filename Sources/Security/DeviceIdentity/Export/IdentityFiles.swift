internal import Keychain

/// Certificates and keys in a folder: `DIR/HOME/NAME.crt` and `.key` of devices, `DIR/NAME.crt` and `.key`
/// of controllers. Only their user can read them.
public struct IdentityFiles: Sendable {
    /// The folder, made where it is missing.
    public let folder: String

    /// Files in a folder; nothing is read or made.
    public init(folder: String) { self.folder = folder }

    /// Where the certificate of a name is.
    public func certificate(_ name: IdentityName) -> String { "\(folder)/\(name.commonName).crt" }

    /// Where the key of a name is.
    public func key(_ name: IdentityName) -> String { "\(folder)/\(name.commonName).key" }

    /// Makes the folders of certificates where they are missing, and checks that their files can be
    /// written.
    /// - Throws: ``IdentityError`` `unwritable`; `keychain` where others could replace a file.
    func prepare(for names: [IdentityName]) throws(IdentityError) {
        let remedy = "nothing was issued: name a folder that you can write to with --directory"
        guard !folder.isEmpty else {
            throw IdentityError(.unwritable, "the path of the folder is empty; \(remedy)")
        }
        for path in names.flatMap({ [key($0), certificate($0)] }) {
            try Self.checkThatItCanBeWritten(path, remedy)
        }
    }

    /// Makes the folder of a file where it is missing, and checks that the file can be written.
    /// - Throws: ``IdentityError`` `unwritable`; `keychain` where others could replace the file.
    static func checkThatItCanBeWritten(
        _ path: String, _ remedy: String
    ) throws(IdentityError) {
        do {
            try PrivateFile(path: path).checkThatItCanBeWritten()
        } catch {
            guard error.code == .system else { throw IdentityError(error) }
            throw IdentityError(.unwritable, "\(error.message); \(remedy)")
        }
    }

    /// Writes a certificate, and its key where there is one.
    ///
    /// The key file holds the certificate, too, and is written first: whenever the two files do not fit, it
    /// alone is the new identity.
    func write(_ issued: IssuedCertificate) throws(IdentityError) -> StoredIdentity {
        let name = issued.record.name
        if let key = issued.key { try Self.write(key + issued.certificate, to: self.key(name)) }
        try Self.write(issued.certificate, to: certificate(name))
        return StoredIdentity(
            record: issued.record, certificate: certificate(name),
            key: issued.key == nil ? nil : key(name))
    }

    /// Replaces a file, for the user alone. A crash leaves the old or the new contents.
    static func write(_ text: String, to path: String) throws(IdentityError) {
        do {
            try PrivateFile(path: path).write(Secret(Array(text.utf8)))
        } catch {
            throw IdentityError(error)
        }
    }
}

/// A certificate that was issued into files.
public struct StoredIdentity: Hashable, Sendable {
    /// What the authority has recorded.
    public let record: IdentityRecord
    /// The file with the certificate, where it is known.
    public let certificate: String?
    /// The file with the key; `nil` where it has never left its owner.
    public let key: String?

    public init(record: IdentityRecord, certificate: String?, key: String?) {
        self.record = record
        self.certificate = certificate
        self.key = key
    }
}

extension IdentityAuthority {
    /// Issues certificates with new keys and writes both into files.
    /// - Throws: ``IdentityError`` `alreadyIssued` if one of the names has a valid certificate,
    ///   `unwritable`; then nothing is issued.
    public func issue(
        to names: [IdentityName], into files: IdentityFiles,
        validFor validity: Duration = usualValidity
    ) async throws(IdentityError) -> [StoredIdentity] {
        try await issue(
            names.map { CertificateOrder($0) }, isNew: true, into: files, validFor: validity)
    }

    /// Issues a certificate with a new key to a name that has one, and replaces its files. The old
    /// certificate is accepted until it expires, so that its owner can go on until it reconnects.
    /// - Throws: ``IdentityError`` `notFound` where there is nothing to replace, `unwritable`.
    public func rotate(
        _ name: IdentityName, in files: IdentityFiles, validFor validity: Duration = usualValidity
    ) async throws(IdentityError) -> StoredIdentity {
        try await issue(
            [CertificateOrder(name)], isNew: false, into: files, validFor: validity)[0]
    }

    /// Issues a certificate for a key that stays with its owner, and writes it into a file.
    /// - Throws: ``IdentityError`` `alreadyIssued`, `unwritable`.
    public func issue(
        to name: IdentityName, _ request: CertificateRequest, into files: IdentityFiles,
        validFor validity: Duration = usualValidity
    ) async throws(IdentityError) -> StoredIdentity {
        try await issue(
            [CertificateOrder(name, request)], isNew: true, into: files, validFor: validity)[0]
    }

    /// Issues certificates, writes their files and takes them into use. No other process changes the register in
    /// between: of several that issue to one name at once only one may write its files.
    private func issue(
        _ orders: [CertificateOrder], isNew: Bool, into files: IdentityFiles,
        validFor validity: Duration
    ) async throws(IdentityError) -> [StoredIdentity] {
        try await issue(orders, isNew: isNew, validFor: validity) {
            [file = register] register, issued, now throws(IdentityError) in
            // A certificate whose files cannot be written would stay staged.
            try files.prepare(for: issued.map(\.record.name))
            // A crash from here on leaves them staged: one that is not recorded could not be taken back.
            try file.save(register)
            let stored = try issued.map { issued throws(IdentityError) in try files.write(issued) }
            return try stored.map { stored throws(IdentityError) in
                StoredIdentity(
                    record: try register.activate(stored.record.serial, at: now),
                    certificate: stored.certificate, key: stored.key)
            }
        }
    }
}
