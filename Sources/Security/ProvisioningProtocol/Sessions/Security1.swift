internal import Keychain

/// A client of Security 1, which knows the proof of possession.
struct Security1Client: Sendable {
    private let proof: Secret
    private let privateKey: Secret
    /// 32 bytes.
    let publicKey: [UInt8]

    init(proof: Secret, privateKey: Secret) {
        self.proof = proof
        self.privateKey = privateKey
        publicKey = Cryptography.publicKey(of: privateKey)
    }

    /// What proves to the device that the client has the key, and the stream behind it.
    func prove(
        to deviceKey: [UInt8], random: [UInt8]
    ) throws(ProvisioningProtocolError) -> ([UInt8], CounterStream) {
        var stream = try CounterStream(
            privateKey: privateKey, peer: deviceKey, proof: proof, random: random)
        var message = deviceKey
        stream.apply(to: &message)
        return (message, stream)
    }

    /// Checks the device's proof.
    /// - Returns: the stream behind it.
    func verify(
        _ proof: [UInt8], _ stream: CounterStream
    ) throws(ProvisioningProtocolError) -> CounterStream {
        var (message, stream) = (proof, stream)
        stream.apply(to: &message)
        guard message.isSame(as: publicKey) else { throw .wrongProofOfPossession }
        return stream
    }
}

/// A device of Security 1, which knows its own proof of possession.
struct Security1Device: Sendable {
    private let proof: Secret
    private let privateKey: Secret
    /// Where the counter of the stream starts, 16 bytes.
    let random: [UInt8]
    /// 32 bytes.
    let publicKey: [UInt8]

    init(proof: Secret, privateKey: Secret, random: [UInt8]) {
        self.proof = proof
        self.privateKey = privateKey
        self.random = random
        publicKey = Cryptography.publicKey(of: privateKey)
    }

    /// The stream that is shared with a client.
    func stream(with clientKey: [UInt8]) throws(ProvisioningProtocolError) -> CounterStream {
        try CounterStream(privateKey: privateKey, peer: clientKey, proof: proof, random: random)
    }

    /// Checks the client's proof.
    /// - Returns: the device's own, and the stream behind it.
    func verify(
        _ proof: [UInt8], _ stream: CounterStream, of clientKey: [UInt8]
    ) throws(ProvisioningProtocolError) -> ([UInt8], CounterStream) {
        var (message, stream) = (proof, stream)
        stream.apply(to: &message)
        guard message.isSame(as: publicKey) else { throw .wrongProofOfPossession }
        var answer = clientKey
        stream.apply(to: &answer)
        return (answer, stream)
    }
}

extension CounterStream {
    /// The stream of a session: its key is the shared secret, masked with the hash of a proof of possession
    /// that is not empty.
    fileprivate init(
        privateKey: Secret, peer: [UInt8], proof: Secret, random: [UInt8]
    ) throws(ProvisioningProtocolError) {
        guard random.count == Self.blockSize else {
            throw .malformed("the device's random value has \(random.count) bytes, not 16")
        }
        guard var key = Cryptography.sharedSecret(privateKey, with: peer) else { throw .weakKey }
        if proof.count > 0 {
            var mask = Cryptography.sha256(proof)
            for index in key.indices { key[index] ^= mask[index] }
            mask.overwrite()
        }
        self.init(key: Secret(key), start: random)
        key.overwrite()
    }
}

extension ProvisioningProtocolError {
    static let wrongProofOfPossession = ProvisioningProtocolError(
        .wrongProof,
        "the proof of possession is not that of the device: check the code on its label")
    static let weakKey = ProvisioningProtocolError(
        .weakKey, "the other side sent a public key that no session may use; try again")
}
