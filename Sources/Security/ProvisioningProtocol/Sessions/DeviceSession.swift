package import Keychain

/// What a device asks of a client.
package enum DeviceCredentials: Equatable, Sendable {
    /// Security 0.
    case unprotected
    /// Security 1 with the device's proof of possession; an empty one asks for none.
    case proofOfPossession(Secret)
    /// Security 2.
    case password(SRPLogin)

    /// The scheme.
    package var security: ProvisioningSecurity {
        switch self {
        case .unprotected: .unprotected
        case .proofOfPossession: .proofOfPossession
        case .password: .password
        }
    }
}

/// A user and the verifier of the password, from which it cannot be computed.
package struct SRPLogin: Equatable, Sendable {
    /// The user's name.
    package let username: String
    /// The salt of the verifier.
    package let salt: [UInt8]
    /// 384 bytes.
    package let verifier: [UInt8]

    /// - Parameter salt: its first byte is not 0: Espressif's client drops leading zeros.
    package init(username: String, password: Secret, salt: [UInt8]) {
        self.username = username
        self.salt = salt
        verifier = SRP6a.verifier(username: username, password: password, salt: salt)
    }
}

/// The device's side of the handshake on the endpoint `prov-session`: a value without clock and connection,
/// for one client.
package struct DeviceSession: Sendable {
    private enum State: Sendable {
        case waiting
        case provingPossession(clientKey: [UInt8], CounterStream)
        case provingPassword(SRPProofs)
        case ended
    }

    private enum Scheme: Sendable {
        case unprotected
        case proofOfPossession(Security1Device)
        case password(Security2Device)
    }

    /// An answer to a client.
    package struct Reply: Sendable {
        /// The bytes to send back.
        package let body: [UInt8]
        /// What protects every message to the other endpoints, once the session stands.
        package let channel: SecureChannel?
    }

    private let scheme: Scheme
    private var state = State.waiting

    /// A session with keys of its own.
    /// - Parameter nonceUse: what the device says of Security 2.
    package init(
        _ credentials: DeviceCredentials, _ nonceUse: NonceUse = .counted,
        using generator: inout some RandomNumberGenerator
    ) {
        let privateKey = Secret(count: 32, using: &generator)
        switch credentials {
        case .unprotected, .proofOfPossession:
            self.init(
                credentials, privateKey: privateKey,
                random: .random(CounterStream.blockSize, using: &generator))
        case .password:
            self.init(
                credentials, nonceUse, privateKey: privateKey,
                random: .random(8, using: &generator) + [0, 0, 0, 1])
        }
    }

    /// A session with a given private key of 32 bytes and a given random value: for Security 1 the start of
    /// the counter, 16 bytes; for Security 2 the nonce of the session, 12 bytes.
    package init(
        _ credentials: DeviceCredentials, _ nonceUse: NonceUse = .counted, privateKey: Secret,
        random: [UInt8]
    ) {
        scheme =
            switch credentials {
            case .unprotected: .unprotected
            case .proofOfPossession(let proof):
                .proofOfPossession(
                    Security1Device(proof: proof, privateKey: privateKey, random: random))
            case .password(let login):
                .password(Security2Device(login, privateKey: privateKey, nonce: random, nonceUse))
            }
    }

    /// Takes a client's request.
    /// - Throws: ``ProvisioningProtocolError``; the session is then over.
    package mutating func receive(_ body: [UInt8]) throws(ProvisioningProtocolError) -> Reply {
        let current = state
        state = .ended
        let message = try SessionMessage(body)
        switch (scheme, current, message) {
        case (.unprotected, .waiting, .security0Command):
            return Reply(.security0Response(.success), .unprotected)
        case (.proofOfPossession(let device), .waiting, .security1(.command0(let clientKey))):
            state = .provingPossession(
                clientKey: clientKey, try device.stream(with: clientKey))
            return Reply(
                .security1(
                    .response0(.success, deviceKey: device.publicKey, random: device.random)))
        case (
            .proofOfPossession(let device), .provingPossession(let clientKey, let stream),
            .security1(.command1(let proof))
        ):
            let (answer, stream) = try device.verify(proof, stream, of: clientKey)
            return Reply(.security1(.response1(.success, proof: answer)), .stream(stream))
        case (
            .password(let device), .waiting, .security2(.command0(let username, let clientKey))
        ):
            state = .provingPassword(
                try device.proofs(username: username, clientKey: clientKey))
            return Reply(
                .security2(
                    .response0(.success, deviceKey: device.publicKey, salt: device.salt)))
        case (
            .password(let device), .provingPassword(let proofs),
            .security2(.command1(let proof))
        ):
            let channel = try device.verify(proof, proofs)
            return Reply(
                .security2(.response1(.success, proof: proofs.device, nonce: device.nonce)),
                channel)
        case (.unprotected, _, _), (.proofOfPossession, _, _), (.password, _, _):
            throw refusal(of: message)
        }
    }

    private func refusal(of message: SessionMessage) -> ProvisioningProtocolError {
        guard message.security == security else {
            return ProvisioningProtocolError(
                .unsupportedSecurity,
                "the client asked for Security \(message.security.rawValue), the device has "
                    + "Security \(security.rawValue)")
        }
        return ProvisioningProtocolError(
            .unexpected, "the message does not belong to this step of the handshake")
    }

    private var security: ProvisioningSecurity {
        switch scheme {
        case .unprotected: .unprotected
        case .proofOfPossession: .proofOfPossession
        case .password: .password
        }
    }
}

extension DeviceSession.Reply {
    fileprivate init(_ message: SessionMessage, _ channel: SecureChannel? = nil) {
        body = message.bytes
        self.channel = channel
    }
}

extension SessionMessage {
    /// The scheme that the message belongs to.
    fileprivate var security: ProvisioningSecurity {
        switch self {
        case .security0Command, .security0Response: .unprotected
        case .security1: .proofOfPossession
        case .security2: .password
        }
    }
}
