import Keychain
import ProvisioningProtocol
import Testing

/// Sessions of Security 2 whose numbers were computed independently. Where only the beginning of a number is
/// known, that is compared.
@Suite struct Security2VectorTests {
    private static let salt = [UInt8](hex: "f75fe2beba7c81cd")
    private static let clientPrivate = [UInt8](0x01...0x20)
    private static let devicePrivate = [UInt8](0x21...0x40)
    private static let nonce = [UInt8](hex: "000102030405060700000001")
    private static let password = Secret(text: "abcd1234")

    private static func handshake(
        client: [UInt8] = clientPrivate, device: [UInt8] = devicePrivate,
        _ nonceUse: NonceUse = .counted
    ) -> Handshake {
        let login = SRPLogin(username: "wifiprov", password: password, salt: salt)
        return Handshake(
            client: ClientSession(
                .password(username: "wifiprov", password), nonceUse, privateKey: Secret(client)),
            device: DeviceSession(
                .password(login), nonceUse, privateKey: Secret(device), random: nonce))
    }

    @Test func theVerifierIsThatOfEspressifsExample() {
        let login = SRPLogin(
            username: "wifiprov", password: Self.password,
            salt: [UInt8](hex: "036ee0c7bcb9eda84c9eac97d93decf4"))
        #expect(login.verifier.count == 384)
        #expect(
            Digest.sha256(login.verifier)
                == "e985f1fb10e7c5aaf625ec7cc0896e8f92bdcd5b621141766ea6ea93bd899b06")
    }

    @Test func publicKeysAndProofsAreThoseOfTheVector() throws {
        var handshake = Self.handshake()
        _ = try #require(try handshake.run())
        let messages = try handshake.messages.map { try SessionMessage($0) }
        guard case .security2(.command0("wifiprov", let clientKey)) = messages[0],
            case .security2(.response0(.success, let deviceKey, Self.salt)) = messages[1],
            case .security2(.command1(let clientProof)) = messages[2],
            case .security2(.response1(.success, let deviceProof, Self.nonce)) = messages[3]
        else {
            Issue.record("not the messages of a handshake: \(messages)")
            return
        }
        #expect(
            Digest.sha256(clientKey)
                == "7f03c7c69567e4cfd421ffecf9e7eacfb0ba31682b66736d3eb58133c8b76ece")
        #expect(
            Digest.sha256(deviceKey)
                == "06416596d162d62bb167e3bcafc6478efd4ad39e9b62bde2f0ea50a00427a10f")
        #expect(
            clientProof.hex
                == "1810b2c9b81e3033b7af0775f5d39d072e541b521b85add7266419aa081643b7"
                + "45e943a49eddfb82b9c80b3c7d3413450c0b4a21bac29b4e597e0b029e626e8e")
        #expect(
            deviceProof.hex
                == "7019a4c0c97eb0227b68d08cec2375e61fee8fbf5691583eee3a88607f3ee9a2"
                + "59ff06c08c52854591cd4e17b6b4be777765bc611586501fdc18d964cb9dac90")
    }

    @Test func messagesAreEncryptedWithACountingNonce() throws {
        var handshake = Self.handshake()
        var (client, device) = try #require(try handshake.run())
        let first = client.seal([0x08, 0x00, 0x52, 0x00])
        #expect(first.hex == "07389e88a35cc5ffd6d3efba4fa3c38b1bbfe848")
        #expect(try device.open(first) == [0x08, 0x00, 0x52, 0x00])
        let second = device.seal([0x08, 0x00, 0x52, 0x00])
        #expect(second.hex == "733202f41ff460e1622a32b8d8f9001d847b6058")
        #expect(try client.open(second) == [0x08, 0x00, 0x52, 0x00])
    }

    /// `sec_patch_ver` 0: the ciphertext of the first nonce, again and again.
    @Test func oldDevicesEncryptEveryMessageWithTheSameNonce() throws {
        var handshake = Self.handshake(.repeated)
        var (client, device) = try #require(try handshake.run())
        for _ in 0..<2 {
            let request = client.seal([0x08, 0x00, 0x52, 0x00])
            #expect(request.hex == "07389e88a35cc5ffd6d3efba4fa3c38b1bbfe848")
            #expect(try device.open(request) == [0x08, 0x00, 0x52, 0x00])
            let answer = device.seal([0x08, 0x00, 0x52, 0x00])
            #expect(answer == request)
            #expect(try client.open(answer) == [0x08, 0x00, 0x52, 0x00])
        }
    }

    /// The shared number begins with a zero byte; padded it would give another session key.
    @Test func aSharedNumberWithALeadingZeroIsHashedWithoutIt() throws {
        let proofs = try proofs(Self.handshake(client: Self.clientPrivate.adding(348)))
        #expect(proofs.client.hasPrefix("10cbc9d351992b5a910f69761dca6eb9"))
        #expect(proofs.device.hasPrefix("72eba8e5ca05fdb736390be4cc62a2cf"))
    }

    /// The device's public key has 383 bytes, and is hashed so.
    @Test func aPublicKeyWithALeadingZeroIsSentAndHashedWithoutIt() throws {
        var handshake = Self.handshake(device: Self.devicePrivate.adding(6))
        let proofs = try proofs(handshake)
        #expect(proofs.client.hasPrefix("ee521cc875ab4cea51b77a03eb75b593"))
        #expect(proofs.device.hasPrefix("e53917bed9a82fbdeb6aac42863fd65c"))
        _ = try handshake.run()
        guard case .security2(.response0(_, let key, _)) = try SessionMessage(handshake.messages[1])
        else {
            Issue.record("not an answer with a public key")
            return
        }
        #expect(key.count == 383)
    }

    private func proofs(_ handshake: Handshake) throws -> (client: String, device: String) {
        var handshake = handshake
        _ = try #require(try handshake.run())
        guard case .security2(.command1(let client)) = try SessionMessage(handshake.messages[2]),
            case .security2(.response1(_, let device, _)) = try SessionMessage(
                handshake.messages[3])
        else {
            Issue.record("not the messages of a handshake")
            return ("", "")
        }
        return (client.hex, device.hex)
    }
}
