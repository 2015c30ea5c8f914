import Keychain
import ProvisioningProtocol
import TestSupport
import Testing

@Suite struct SessionTests {
    private static let proof = Secret(text: "abcd1234")

    /// A scheme with what both sides know of it.
    struct Scheme: Sendable, CustomTestStringConvertible {
        let client: SessionCredentials
        let device: DeviceCredentials
        var testDescription: String { "Security \(client.security.rawValue)" }
    }

    private static let none = Scheme(client: .unprotected, device: .unprotected)
    private static let possession = Scheme(
        client: .proofOfPossession(proof), device: .proofOfPossession(proof))
    private static let withoutProof = Scheme(
        client: .proofOfPossession(Secret([])), device: .proofOfPossession(Secret([])))
    private static let password = Scheme(
        client: .password(username: "wifiprov", proof),
        device: .password(login("wifiprov", proof)))
    private static let all = [none, possession, withoutProof, password]

    private static func login(_ username: String, _ password: Secret) -> SRPLogin {
        SRPLogin(username: username, password: password, salt: Array(1...16))
    }

    private func handshake(
        _ client: SessionCredentials, _ device: DeviceCredentials, seed: UInt64 = 1
    ) -> Handshake {
        var generator = SeededGenerator(seed: seed)
        return Handshake(
            client: ClientSession(client, using: &generator),
            device: DeviceSession(device, using: &generator))
    }

    private func code(
        _ client: SessionCredentials, _ device: DeviceCredentials
    ) -> ProvisioningProtocolError.Code? {
        var handshake = handshake(client, device)
        do throws(ProvisioningProtocolError) {
            _ = try handshake.run()
            return nil
        } catch { return error.code }
    }

    @Test(arguments: all)
    func bothSidesShareAChannel(scheme: Scheme) throws {
        for seed in 1...3 {
            var handshake = handshake(scheme.client, scheme.device, seed: UInt64(seed))
            var (client, device) = try #require(try handshake.run())
            for message in [[], [1], Array("a message".utf8)] as [[UInt8]] {
                #expect(try device.open(client.seal(message)) == message)
                #expect(try client.open(device.seal(message)) == message)
            }
        }
    }

    @Test func aWrongProofIsFoundByTheDevice() {
        let wrong = Secret(text: "abcd1235")
        #expect(code(.proofOfPossession(wrong), Self.possession.device) == .wrongProof)
        #expect(code(.proofOfPossession(Secret([])), Self.possession.device) == .wrongProof)
        #expect(code(.password(username: "wifiprov", wrong), Self.password.device) == .wrongProof)
        #expect(code(.password(username: "wifi", Self.proof), Self.password.device) == .wrongProof)
    }

    @Test func anotherSchemeIsRefused() {
        for client in Self.all {
            for device in Self.all where client.client.security != device.device.security {
                #expect(code(client.client, device.device) == .unsupportedSecurity)
            }
        }
    }

    /// A device that does not know the proof cannot pretend to.
    @Test(arguments: [possession, password])
    func everyChangedBitOfAHandshakeEndsIt(scheme: Scheme) throws {
        var original = handshake(scheme.client, scheme.device)
        _ = try original.run()
        // The last message of Security 2 ends with the nonce, which only the first message proves.
        let nonce = scheme.client.security == .password ? 12 : 0
        for place in original.messages.indices {
            let length = original.messages[place].count - (place == 3 ? nonce : 0)
            for byte in stride(from: 0, to: length, by: length > 100 ? 29 : 1) {
                var handshake = handshake(scheme.client, scheme.device)
                #expect(throws: ProvisioningProtocolError.self, "message \(place), byte \(byte)") {
                    _ = try handshake.run { index, message in
                        if index == place { message[byte] ^= 0x40 }
                    }
                }
            }
        }
    }

    @Test func publicKeysThatGiveAwayTheSessionAreRefused() {
        let modulus = SessionMessage.security2(
            .command0(username: "wifiprov", clientKey: [UInt8](repeating: 0, count: 384)))
        for (credentials, message) in [
            (Self.password.device, modulus),
            (
                Self.possession.device,
                .security1(.command0(clientKey: [UInt8](repeating: 0, count: 32)))
            ),
            (Self.possession.device, .security1(.command0(clientKey: [1, 2, 3]))),
            (
                Self.password.device,
                .security2(.command0(username: "wifiprov", clientKey: []))
            ),
        ] {
            var generator = SeededGenerator(seed: 1)
            var device = DeviceSession(credentials, using: &generator)
            do throws(ProvisioningProtocolError) {
                _ = try device.receive(message.bytes)
                Issue.record("the device took \(message)")
            } catch { #expect(error.code == .weakKey) }
        }
    }

    @Test func aClientRefusesADeviceWithoutAKey() {
        var generator = SeededGenerator(seed: 1)
        var client = ClientSession(Self.password.client, using: &generator)
        let answer = SessionMessage.security2(
            .response0(.success, deviceKey: [UInt8](repeating: 0, count: 384), salt: [1]))
        do throws(ProvisioningProtocolError) {
            _ = try client.receive(answer.bytes)
            Issue.record("the client took a key of 0")
        } catch { #expect(error.code == .weakKey) }
    }

    @Test func aStatusOfTheDeviceIsTold() {
        var generator = SeededGenerator(seed: 1)
        var client = ClientSession(Self.possession.client, using: &generator)
        let answer = SessionMessage.security1(
            .response0(.tooManySessions, deviceKey: [], random: []))
        do throws(ProvisioningProtocolError) {
            _ = try client.receive(answer.bytes)
            Issue.record("the client went on")
        } catch {
            #expect(error.code == .refused(.tooManySessions))
            #expect(error.message.contains("another client"))
        }
    }

    @Test(arguments: all)
    func aSessionTakesNothingOutOfTurn(scheme: Scheme) throws {
        var handshake = handshake(scheme.client, scheme.device)
        _ = try handshake.run()
        for message in handshake.messages {
            #expect(throws: ProvisioningProtocolError.self) {
                _ = try handshake.client.receive(message)
            }
            #expect(throws: ProvisioningProtocolError.self) {
                _ = try handshake.device.receive(message)
            }
        }
    }

    @Test func repeatedLostAndChangedMessagesOfSecurity2AreFound() throws {
        var handshake = handshake(Self.password.client, Self.password.device)
        let (client, device) = try #require(try handshake.run())
        let message = Array("a message".utf8)
        func code(
            _ body: (inout SecureChannel, inout SecureChannel) throws(ProvisioningProtocolError)
                -> Void
        ) -> ProvisioningProtocolError.Code? {
            var (client, device) = (client, device)
            do throws(ProvisioningProtocolError) {
                try body(&client, &device)
                return nil
            } catch { return error.code }
        }
        let repeated = code { client, device throws(ProvisioningProtocolError) in
            let sealed = client.seal(message)
            _ = try device.open(sealed)
            _ = try device.open(sealed)
        }
        let lost = code { client, device throws(ProvisioningProtocolError) in
            _ = client.seal(message)
            _ = try device.open(client.seal(message))
        }
        #expect(repeated == .notAuthentic)
        #expect(lost == .notAuthentic)
        for bit in 0..<((message.count + 16) * 8) {
            let changed = code { client, device throws(ProvisioningProtocolError) in
                var sealed = client.seal(message)
                sealed[bit / 8] ^= 1 << (bit % 8)
                _ = try device.open(sealed)
            }
            #expect(changed == .notAuthentic)
        }
        #expect(
            code { _, device throws(ProvisioningProtocolError) in _ = try device.open([1, 2]) }
                == .notAuthentic)
    }

    @Test func aClientOfSecurity2SendsAllBytesOfItsKey() {
        for seed in 0..<20 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let client = ClientSession(Self.password.client, using: &generator)
            guard
                case .security2(.command0(_, let key))? = try? SessionMessage(client.start)
            else {
                Issue.record("not the start of Security 2")
                return
            }
            #expect(key.count == 384)
            #expect(key.first != 0)
        }
    }
}
