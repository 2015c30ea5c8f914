import Keychain
import ProvisioningProtocol
import Testing

/// A session of Security 1 whose numbers were computed independently.
@Suite struct Security1VectorTests {
    private let clientPublic = "07a37cbc142093c8b755dc1b10e86cb426374ad16aa853ed0bdfc0b2b86d1c7c"
    private let devicePublic = "5869aff450549732cbaaed5e5df9b30a6da31cb0e5742bad5ad4a1a768f1a67b"
    private let clientProof = "ce6096fef8de28d2e24098904ad16b30483db15d1e6ba6f936881e45aa043493"
    private let deviceProof = "8e887a715e350c6b2c04edef13efe19b88e36f379279a204989b964bc27d738d"

    private func handshake() -> Handshake {
        let proof = Secret(text: "abcd1234")
        return Handshake(
            client: ClientSession(
                .proofOfPossession(proof), privateKey: Secret(Array(0x01...0x20))),
            device: DeviceSession(
                .proofOfPossession(proof), privateKey: Secret(Array(0x21...0x40)),
                random: Array(0x00...0x0F)))
    }

    @Test func everyMessageIsThatOfTheVector() throws {
        var handshake = handshake()
        _ = try #require(try handshake.run())
        #expect(
            handshake.messages.map(\.hex) == [
                "10015a25a201220a20" + clientPublic,
                "10015a39" + "0801" + "aa0134" + "1220" + devicePublic + "1a10"
                    + "000102030405060708090a0b0c0d0e0f",
                "10015a270802b201221220" + clientProof,
                "10015a270803ba01221a20" + deviceProof,
            ])
    }

    @Test func theStreamGoesOnInBothDirections() throws {
        var handshake = handshake()
        var (client, device) = try #require(try handshake.run())
        let request = client.seal([0x08, 0x00, 0x52, 0x00])
        #expect(request.hex == "6733233b")
        #expect(try device.open(request) == [0x08, 0x00, 0x52, 0x00])
        for length in [0, 1, 15, 16, 17, 100, 4096] {
            let message = [UInt8](repeating: 7, count: length)
            #expect(try client.open(device.seal(message)) == message)
            #expect(try device.open(client.seal(message)) == message)
        }
    }
}
