import DeviceDomain
import Keychain
import ProvisioningProtocol
import Testing

/// The member `mac` of the messages of a claim. The codes were computed by `openssl kdf` and `openssl mac`, and
/// once more by Python.
@Suite struct ClaimAuthenticationTests {
    private static let message = Array(#"{"v":1,"nonce":"n-1"}"#.utf8)
    private let nonce: ClaimNonce

    init() throws { nonce = try #require(ClaimNonce(rawValue: "n-1")) }

    /// The sessions of the vectors, whose keys are known.
    private static func channels(
        _ security: ProvisioningSecurity
    ) throws -> (client: SecureChannel, device: SecureChannel) {
        let (client, device) = (Secret(Array(0x01...0x20)), Secret(Array(0x21...0x40)))
        let proof = Secret(text: "abcd1234")
        var handshake =
            switch security {
            case .unprotected:
                Handshake(
                    client: ClientSession(.unprotected, privateKey: client),
                    device: DeviceSession(.unprotected, privateKey: device, random: []))
            case .proofOfPossession:
                Handshake(
                    client: ClientSession(.proofOfPossession(proof), privateKey: client),
                    device: DeviceSession(
                        .proofOfPossession(proof), privateKey: device, random: Array(0x00...0x0F)))
            case .password:
                Handshake(
                    client: ClientSession(
                        .password(username: "wifiprov", proof), privateKey: client),
                    device: DeviceSession(
                        .password(
                            SRPLogin(
                                username: "wifiprov", password: proof,
                                salt: [UInt8](hex: "f75fe2beba7c81cd"))),
                        privateKey: device, random: [UInt8](hex: "000102030405060700000001")))
            }
        return try #require(try handshake.run())
    }

    @Test(arguments: [
        (
            ProvisioningSecurity.proofOfPossession,
            "99f8db5325285b4743cc3de54e6ad26f1d1a4e5f760c528e7a05b258729e0c51"
        ),
        (
            .password, "72410163deee0b19523326ea9d1e8d82e8b627664b360b36f892fc274eb56569"
        ),
    ])
    func theCodeIsThatOfTheVector(security: ProvisioningSecurity, code: String) throws {
        let (client, device) = try Self.channels(security)
        let sent = client.authenticate(Self.message, of: nonce)
        #expect(
            String(decoding: sent, as: UTF8.self) == #"{"v":1,"nonce":"n-1","mac":"\#(code)"}"#)
        #expect(try device.verify(sent, of: nonce) == Self.message)
    }

    @Test func anUnprotectedSessionHasNoCode() throws {
        let (client, device) = try Self.channels(.unprotected)
        #expect(client.authenticate(Self.message, of: nonce) == Self.message)
        #expect(try device.verify(Self.message, of: nonce) == Self.message)
    }

    @Test(arguments: [ProvisioningSecurity.proofOfPossession, .password])
    func everyChangedBitIsFound(security: ProvisioningSecurity) throws {
        let (client, device) = try Self.channels(security)
        let sent = client.authenticate(Self.message, of: nonce)
        for bit in 0..<(sent.count * 8) {
            var changed = sent
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!isTaken(changed, by: device), "bit \(bit)")
        }
    }

    @Test func aMissingMovedOrForeignCodeIsRefused() throws {
        let (client, device) = try Self.channels(.proofOfPossession)
        let sent = client.authenticate(Self.message, of: nonce)
        let foreign = try Self.channels(.password).client.authenticate(Self.message, of: nonce)
        let text = String(decoding: sent, as: UTF8.self)
        let upper = text.replacing(/[0-9a-f]{64}/) { $0.output.uppercased() }
        let moved = text.dropLast() + #","x":1}"#
        for changed in [
            Self.message, foreign, Array(upper.utf8), Array(moved.utf8), [], sent + [0x20],
        ] { #expect(!isTaken(changed, by: device)) }
        let other = try #require(ClaimNonce(rawValue: "n-2"))
        #expect(throws: ProvisioningProtocolError.self) { try device.verify(sent, of: other) }
    }

    private func isTaken(_ message: [UInt8], by channel: SecureChannel) -> Bool {
        do throws(ProvisioningProtocolError) {
            _ = try channel.verify(message, of: nonce)
            return true
        } catch {
            #expect(error.code == .notAuthentic)
            return false
        }
    }
}
