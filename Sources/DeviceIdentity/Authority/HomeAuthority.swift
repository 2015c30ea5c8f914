internal import Crypto
internal import DeviceDomain
internal import Keychain
internal import SwiftASN1
internal import X509

/// What a home's identities rest on: an issuer for devices and one for controllers and brokers.
///
/// They are two, so that the listener of controllers, where a client chooses its own id, refuses devices
/// in the TLS handshake already.
struct HomeAuthority: Sendable {
    let devices: Issuer
    let controllers: Issuer

    init(for home: HomeID, at now: Timestamp) throws {
        devices = try .make(for: .device, of: home, at: now)
        controllers = try .make(for: .controller, of: home, at: now)
    }

    /// The issuer of one kind of identities.
    subscript(kind: IdentityKind) -> Issuer {
        switch kind {
        case .device: devices
        case .controller: controllers
        }
    }

    /// The certificates of both, for clients that check a broker and brokers that check both kinds.
    var certificates: String {
        get throws { try IdentityKind.allCases.map { try self[$0].pem }.joined() }
    }

    // MARK: In the keychain

    /// Keys and certificates in PEM.
    var secret: Secret {
        get throws {
            let text = try IdentityKind.allCases.map { kind in
                try self[kind].key.pemRepresentation + "\n" + self[kind].pem
            }
            return Secret(Array(text.joined().utf8))
        }
    }

    /// Reads what ``secret`` has written.
    /// - Throws: ``IdentityError`` `damaged`.
    init(_ secret: Secret) throws(IdentityError) {
        do {
            let text = secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            let documents = try PEMDocument.parseMultiple(pemString: text)
            guard documents.count == 4 else { throw Self.damaged }
            devices = try Issuer(documents[0], documents[1])
            controllers = try Issuer(documents[2], documents[3])
        } catch {
            throw Self.damaged
        }
    }

    private static let damaged = IdentityError(
        .damaged,
        "the home's authority in the keychain is damaged; restore the keychain from a copy")
}

extension Issuer {
    /// The certificate in PEM.
    var pem: String { get throws { try certificate.serializeAsPEM().text } }

    fileprivate init(_ key: PEMDocument, _ certificate: PEMDocument) throws {
        self.init(
            certificate: try Certificate(pemDocument: certificate),
            key: try P256.Signing.PrivateKey(pemRepresentation: key.pemString))
    }
}
