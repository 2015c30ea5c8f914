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
        for path in names.flatMap({ [key($0), certificate($0)] }) {
            do {
                try PrivateFile(path: path).checkThatItCanBeWritten()
            } catch {
                guard error.code == .system else { throw IdentityError(error) }
                throw IdentityError(
                    .unwritable,
                    "\(error.message); nothing was issued: name a folder that you can write to "
                        + "with --directory")
            }
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
        try await prepare(files, for: names)
        return try await store(stage(names, isNew: true, validFor: validity), in: files)
    }

    /// Issues a certificate with a new key to a name that has one, and replaces its files. The old
    /// certificate is accepted until it expires, so that its owner can go on until it reconnects.
    /// - Throws: ``IdentityError`` `notFound` where there is nothing to replace, `unwritable`.
    public func rotate(
        _ name: IdentityName, in files: IdentityFiles, validFor validity: Duration = usualValidity
    ) async throws(IdentityError) -> StoredIdentity {
        try await prepare(files, for: [name])
        return try await store(stage([name], isNew: false, validFor: validity), in: files)[0]
    }

    /// Issues a certificate for a key that stays with its owner, and writes it into a file.
    /// - Throws: ``IdentityError`` `alreadyIssued`, `unwritable`.
    public func issue(
        to name: IdentityName, _ request: CertificateRequest, into files: IdentityFiles,
        validFor validity: Duration = usualValidity
    ) async throws(IdentityError) -> StoredIdentity {
        try await prepare(files, for: [name])
        return try await store([issue(to: name, request, validFor: validity)], in: files)[0]
    }

    /// Looks at the folder before anything is issued: a certificate whose files cannot be written
    /// would stay staged.
    private func prepare(
        _ files: IdentityFiles, for names: [IdentityName]
    ) async throws(IdentityError) {
        try await blocking { () throws(IdentityError) in try files.prepare(for: names) }
    }

    /// A certificate is in use once its files are there: a crash before leaves it staged.
    private func store(
        _ issued: [IssuedCertificate], in files: IdentityFiles
    ) async throws(IdentityError) -> [StoredIdentity] {
        let stored = try await blocking { () throws(IdentityError) in
            try issued.map { issued throws(IdentityError) in try files.write(issued) }
        }
        let records = try await activate(stored.map(\.record.serial))
        return zip(stored, records).map { stored, record in
            StoredIdentity(record: record, certificate: stored.certificate, key: stored.key)
        }
    }
}
