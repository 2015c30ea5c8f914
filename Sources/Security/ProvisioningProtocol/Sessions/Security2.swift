internal import Keychain

/// What both sides of Security 2 can prove once they have each other's public key.
struct SRPProofs: Sendable {
    /// The session key, 64 bytes.
    let sessionKey: [UInt8]
    /// The client's proof, 64 bytes.
    let client: [UInt8]
    /// The device's proof, 64 bytes.
    let device: [UInt8]

    init(_ exchange: SRPExchange, sessionKey: [UInt8]) {
        self.sessionKey = sessionKey
        client = exchange.clientProof(sessionKey)
        device = exchange.deviceProof(client, sessionKey)
    }
}

/// A client of Security 2, which knows user and password.
struct Security2Client: Sendable {
    private let username: String
    private let password: Secret
    private let privateKey: Secret
    private let nonceUse: NonceUse
    /// 384 bytes.
    let publicKey: [UInt8]

    init(username: String, password: Secret, privateKey: Secret, _ nonceUse: NonceUse) {
        self.username = username
        self.password = password
        self.nonceUse = nonceUse
        self.privateKey = privateKey
        publicKey = SRP6a.clientKey(privateKey)
    }

    /// Both proofs for a device with this public key and salt.
    func prove(
        to deviceKey: [UInt8], salt: [UInt8]
    ) throws(ProvisioningProtocolError) -> SRPProofs {
        guard SRP6a.isUsable(deviceKey) else { throw .weakKey }
        let exchange = SRPExchange(
            username: username, salt: salt, clientKey: publicKey, deviceKey: deviceKey)
        return SRPProofs(
            exchange,
            sessionKey: SRP6a.clientSessionKey(
                exchange, privateKey: privateKey, password: password))
    }

    /// Checks the device's proof.
    func verify(
        _ proof: [UInt8], _ proofs: SRPProofs, nonce: [UInt8]
    ) throws(ProvisioningProtocolError) -> SecureChannel {
        guard proof.isSame(as: proofs.device) else { throw .wrongPassword }
        guard nonce.count == SecureChannel.nonceSize else {
            throw .malformed("the device's nonce has \(nonce.count) bytes, not 12")
        }
        return .authenticated(sessionKey: proofs.sessionKey, nonce: nonce, nonceUse)
    }
}

/// A device of Security 2, which knows a verifier instead of the password.
struct Security2Device: Sendable {
    private let login: SRPLogin
    private let privateKey: Secret
    private let nonceUse: NonceUse
    /// The nonce of the session, 12 bytes.
    let nonce: [UInt8]
    /// At most 384 bytes, without leading zeros.
    let publicKey: [UInt8]

    /// The salt of the password.
    var salt: [UInt8] { login.salt }

    init(_ login: SRPLogin, privateKey: Secret, nonce: [UInt8], _ nonceUse: NonceUse) {
        self.login = login
        self.nonceUse = nonceUse
        self.privateKey = privateKey
        self.nonce = nonce
        publicKey = SRP6a.deviceKey(privateKey, verifier: login.verifier)
    }

    /// Both proofs for a client with this public key.
    func proofs(
        username: String, clientKey: [UInt8]
    ) throws(ProvisioningProtocolError) -> SRPProofs {
        guard username == login.username else { throw .wrongPassword }
        guard SRP6a.isUsable(clientKey) else { throw .weakKey }
        let exchange = SRPExchange(
            username: username, salt: login.salt, clientKey: clientKey, deviceKey: publicKey)
        return SRPProofs(
            exchange,
            sessionKey: SRP6a.deviceSessionKey(
                exchange, privateKey: privateKey, verifier: login.verifier))
    }

    /// Checks the client's proof.
    func verify(
        _ proof: [UInt8], _ proofs: SRPProofs
    ) throws(ProvisioningProtocolError) -> SecureChannel {
        guard proof.isSame(as: proofs.client) else { throw .wrongPassword }
        return .authenticated(sessionKey: proofs.sessionKey, nonce: nonce, nonceUse)
    }
}

extension ProvisioningProtocolError {
    static let wrongPassword = ProvisioningProtocolError(
        .wrongProof, "user and code are not those of the device: check the code on its label")
}
