import Keychain
import ProvisioningProtocol

/// Feeds bytes to what reads from an access point or from its client; the first byte chooses, the rest is
/// what came.
///
/// What must hold: nothing crashes, and what is read can be written and read again as the same.
func fuzzProvisioning(_ input: [UInt8]) {
    guard let choice = input.first else { return }
    let bytes = Array(input.dropFirst())
    readers[Int(choice) % readers.count](bytes)
}

private let readers: [@Sendable ([UInt8]) -> Void] = [
    roundTrip(SessionMessage.self), roundTrip(WiFiConfigMessage.self),
    roundTrip(WiFiScanMessage.self), roundTrip(ControlMessage.self), fuzzSetupCode, fuzzVersion,
    fuzzClient(.proofOfPossession(proof)), fuzzClient(.password(username: "user", proof)),
    fuzzDevice(.proofOfPossession(proof)), fuzzDevice(.password(login)),
]

private let proof = Secret(Array("abcd1234".utf8))
private let login = SRPLogin(username: "user", password: proof, salt: [1, 2, 3, 4])

private func roundTrip<Message: WireMessage>(
    _: Message.Type
) -> @Sendable ([UInt8]) -> Void {
    { bytes in
        guard let message = try? Message(bytes) else { return }
        let written = message.bytes
        let read = try? Message(written)
        precondition(read == message, "a message does not survive its own bytes")
        precondition(read?.bytes == written, "the canonical bytes are not stable")
    }
}

@Sendable private func fuzzSetupCode(_ bytes: [UInt8]) {
    guard let code = try? SetupCode(text: String(decoding: bytes, as: UTF8.self)) else { return }
    precondition((try? SetupCode(text: code.text)) == code, "a code does not survive its text")
}

@Sendable private func fuzzVersion(_ bytes: [UInt8]) {
    guard let version = try? ProvisioningVersion(json: bytes) else { return }
    let again = try? ProvisioningVersion(json: version.json)
    precondition(again == version, "a version does not survive its JSON")
}

/// Two messages of a device: the first byte is the length of the first.
private func fuzzClient(_ credentials: SessionCredentials) -> @Sendable ([UInt8]) -> Void {
    { bytes in
        var generator = SystemRandomNumberGenerator()
        var client = ClientSession(credentials, using: &generator)
        for body in split(bytes) {
            if case .established? = try? client.receive(body) {
                preconditionFailure("a session stands without the proof")
            }
        }
    }
}

/// Two messages of a client: the first byte is the length of the first.
private func fuzzDevice(_ credentials: DeviceCredentials) -> @Sendable ([UInt8]) -> Void {
    { bytes in
        var generator = SystemRandomNumberGenerator()
        var device = DeviceSession(credentials, using: &generator)
        for body in split(bytes) {
            let reply = try? device.receive(body)
            precondition(reply?.channel == nil, "a session stands without the proof")
        }
    }
}

private func split(_ bytes: [UInt8]) -> [[UInt8]] {
    let length = Int(bytes.first ?? 0)
    let rest = bytes.dropFirst()
    return [Array(rest.prefix(length)), Array(rest.dropFirst(length))]
}
