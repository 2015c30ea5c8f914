package import Keychain

/// The client's side of the handshake on the endpoint `prov-session`: a value without clock and connection.
///
/// Send ``start``; hand every answer to ``receive(_:)`` and do what it says until the session is established.
package struct ClientSession: Sendable {
    /// What is to be done next.
    package enum Step: Sendable {
        /// Send these bytes to `prov-session`.
        case send([UInt8])
        /// The session stands; the channel protects every message to the other endpoints.
        case established(SecureChannel)
    }

    private enum State: Sendable {
        case unprotected
        case exchangingKeys(Security1Client)
        case provingPossession(Security1Client, CounterStream)
        case startingPassword(Security2Client)
        case provingPassword(Security2Client, SRPProofs)
        case ended
    }

    private var state: State
    /// The first bytes to send to `prov-session`.
    package let start: [UInt8]

    /// A session with a private key of its own.
    /// - Parameter nonceUse: what the device says of Security 2.
    package init(
        _ credentials: SessionCredentials, _ nonceUse: NonceUse = .counted,
        using generator: inout some RandomNumberGenerator
    ) {
        repeat {
            self.init(credentials, nonceUse, privateKey: Secret(count: 32, using: &generator))
        } while hasShortKey
    }

    /// A session with a given private key of 32 bytes.
    package init(
        _ credentials: SessionCredentials, _ nonceUse: NonceUse = .counted, privateKey: Secret
    ) {
        switch credentials {
        case .unprotected:
            state = .unprotected
            start = SessionMessage.security0Command.bytes
        case .proofOfPossession(let proof):
            let client = Security1Client(proof: proof, privateKey: privateKey)
            state = .exchangingKeys(client)
            start = SessionMessage.security1(.command0(clientKey: client.publicKey)).bytes
        case .password(let username, let password):
            let client = Security2Client(
                username: username, password: password, privateKey: privateKey, nonceUse)
            state = .startingPassword(client)
            start =
                SessionMessage.security2(
                    .command0(username: username, clientKey: client.publicKey)
                ).bytes
        }
    }

    /// Whether devices and clients that strip leading zeros would hash the public key differently.
    private var hasShortKey: Bool {
        if case .startingPassword(let client) = state { client.publicKey.first == 0 } else { false }
    }

    /// Takes the device's answer.
    /// - Throws: ``ProvisioningProtocolError``; the session is then over.
    package mutating func receive(
        _ body: [UInt8]
    ) throws(ProvisioningProtocolError) -> Step {
        let current = state
        state = .ended
        let message = try SessionMessage(body)
        switch (current, message) {
        case (.unprotected, .security0Response(let status)):
            try status.requireSuccess(of: "the session")
            return .established(.unprotected)
        case (.exchangingKeys(let client), .security1(.response0(let status, let key, let random))):
            try status.requireSuccess(of: "the session")
            let (proof, stream) = try client.prove(to: key, random: random)
            state = .provingPossession(client, stream)
            return .send(SessionMessage.security1(.command1(proof: proof)).bytes)
        case (
            .provingPossession(let client, let stream),
            .security1(.response1(let status, let proof))
        ):
            try status.requireSuccess(of: "the proof of possession")
            return .established(.stream(try client.verify(proof, stream)))
        case (.startingPassword(let client), .security2(.response0(let status, let key, let salt))):
            try status.requireSuccess(of: "the session")
            let proofs = try client.prove(to: key, salt: salt)
            state = .provingPassword(client, proofs)
            return .send(SessionMessage.security2(.command1(proof: proofs.client)).bytes)
        case (
            .provingPassword(let client, let proofs),
            .security2(.response1(let status, let proof, let nonce))
        ):
            try status.requireSuccess(of: "the password")
            return .established(try client.verify(proof, proofs, nonce: nonce))
        case (.unprotected, _), (.exchangingKeys, _), (.provingPossession, _),
            (.startingPassword, _), (.provingPassword, _), (.ended, _):
            throw ProvisioningProtocolError(
                .unexpected, "the device answered the handshake with another message")
        }
    }
}
