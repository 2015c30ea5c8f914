internal import DeviceDomain
internal import Keychain

/// What a home's identities rest on: an issuer for devices and one for controllers and brokers.
///
/// They are two, so that the listener of controllers, where a client chooses its own id, refuses devices
/// in the TLS handshake already.
struct HomeAuthority: Sendable {
    let devices: Issuer
    let controllers: Issuer

    init(for home: HomeID, at now: Timestamp) throws(IdentityError) {
        devices = try Issuer(for: .device, of: home, at: now)
        controllers = try Issuer(for: .controller, of: home, at: now)
    }

    /// The issuer of one kind of identities.
    subscript(kind: IdentityKind) -> Issuer {
        switch kind.issuer {
        case .device: devices
        case .controller, .server: controllers
        }
    }

    /// The certificates of both, for clients that check a broker and brokers that check both kinds.
    var certificates: String { IdentityKind.clients.map { self[$0].certificate }.joined() }

    // MARK: In the keychain

    /// Keys and certificates in PEM.
    var secret: Secret {
        let text = IdentityKind.clients.map { self[$0].key + self[$0].certificate }.joined()
        return Secret(Array(text.utf8))
    }

    /// Reads what ``secret`` has written.
    /// - Throws: ``IdentityError`` `damaged`.
    init(_ secret: Secret) throws(IdentityError) {
        let documents = secret.withUnsafeBytes {
            Self.documents(in: String(decoding: $0, as: UTF8.self))
        }
        guard documents.count == 4,
            let devices = Issuer(certificate: documents[1], key: documents[0]),
            let controllers = Issuer(certificate: documents[3], key: documents[2])
        else {
            throw IdentityError(
                .damaged,
                "the home's authority in the keychain is damaged; restore the keychain from a copy")
        }
        self.devices = devices
        self.controllers = controllers
    }

    /// The documents of a text in PEM, one behind the other.
    private static func documents(in text: String) -> [String] {
        var documents: [String] = []
        var lines: [Substring] = []
        for line in text.split(separator: "\n") {
            lines.append(line)
            guard line.hasPrefix("-----END ") else { continue }
            documents.append(lines.joined(separator: "\n") + "\n")
            lines = []
        }
        return lines.isEmpty ? documents : []
    }
}
