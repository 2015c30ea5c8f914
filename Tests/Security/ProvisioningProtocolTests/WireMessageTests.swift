import Keychain
import ProvisioningProtocol
import TestSupport
import Testing

@Suite struct WireMessageTests {
    @Test func bytesAreThoseOfTheProtocol() throws {
        #expect(WiFiConfigMessage.getStatus.bytes.hex == "5200")
        #expect(WiFiConfigMessage.apply.bytes.hex == "08047200")
        #expect(try WiFiConfigMessage([]) == .getStatus)
        #expect(ControlMessage.reset.bytes.hex == "08015a00")
        #expect(SessionMessage.security0Command.bytes.hex == "5203a20100")
        let credentials = WiFiCredentials(
            ssid: Array("home".utf8), passphrase: Secret(text: "secret12"))
        #expect(
            WiFiConfigMessage.set(credentials).bytes.hex
                == "0802" + "6210" + "0a04686f6d65" + "1208" + "7365637265743132")
        #expect(
            WiFiConfigMessage.status(.success, .failed(.networkNotFound)).bytes.hex
                == "0801" + "5a04" + "1003" + "5001")
        let network = WiFiNetwork(
            ssid: [0x68], channel: 6, signalDBm: -40, bssid: [1, 2, 3, 4, 5, 6], protection: .wpa2)
        #expect(
            WiFiScanMessage.results(.success, [network]).bytes.hex
                == "0805" + "7a1c" + "0a1a" + "0a0168" + "1006" + "18d8ffffffffffffffff01"
                + "2206010203040506" + "2803")
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<300 {
            try expectRoundTrip(generator.sessionMessage())
            try expectRoundTrip(generator.configMessage())
            try expectRoundTrip(generator.scanMessage())
            try expectRoundTrip(generator.controlMessage())
        }
    }

    private func expectRoundTrip<Message: WireMessage>(_ message: Message) throws {
        let bytes = message.bytes
        #expect(try Message(bytes) == message)
        #expect(try Message(bytes).bytes == bytes)
        // What a newer version may add.
        #expect(try Message(bytes + [0xF8, 0x07, 0x01, 0xFA, 0x07, 0x01, 0x00]) == message)
    }

    @Test func spoiledMessagesAreRefusedOrStable() {
        var generator = SeededGenerator(seed: 2)
        var refused = 0
        for _ in 0..<2_000 {
            refused += isRefused(generator.sessionMessage(), &generator) ? 1 : 0
            refused += isRefused(generator.configMessage(), &generator) ? 1 : 0
            refused += isRefused(generator.scanMessage(), &generator) ? 1 : 0
            refused += isRefused(generator.controlMessage(), &generator) ? 1 : 0
        }
        #expect(refused > 3_000, "the changes must hurt")
    }

    private func isRefused<Message: WireMessage>(
        _ message: Message, _ generator: inout SeededGenerator
    ) -> Bool {
        do throws(ProvisioningProtocolError) {
            let read = try Message(generator.spoiled(message.bytes))
            let again = try Message(read.bytes)
            #expect(again == read)
            return false
        } catch {
            #expect(error.code == .malformed)
            return true
        }
    }

    @Test(
        arguments: [
            ("0a", "it ends within a number"), ("0a05 01", "it ends within a field"),
            ("00 01", "a field has the number 0"), ("0b", "field 1 has the wire type 3"),
            ("08 ffffffffffffffffff02", "a number has more than 64 bits"),
            ("08 80808080808080808080", "a number has more than 64 bits"),
            ("0a00", "field 1 has the wrong type"), ("6001", "field 12 has the wrong type"),
            ("0807", "field 1 has the value 7"), ("0dffffffff", "field 1 has the wrong type"),
            ("08808080808001", "field 1 is out of range"),
        ])
    func malformedBytesHaveAReason(bytes: String, reason: String) {
        let bytes = bytes == "6001" ? "0802" + bytes : bytes
        do throws(ProvisioningProtocolError) {
            _ = try WiFiConfigMessage([UInt8](hex: bytes))
            Issue.record("\(bytes) was read")
        } catch {
            #expect(error.code == .malformed)
            #expect(error.message.contains(reason), "\(error.message)")
        }
    }

    @Test func theLastOfRepeatedFieldsHolds() throws {
        #expect(try WiFiConfigMessage([UInt8](hex: "0800 0804 7200")) == .apply)
    }

    @Test func passwordsDoNotShowInDescriptions() {
        let message = WiFiConfigMessage.set(
            WiFiCredentials(ssid: [1], passphrase: Secret(text: "secret12")))
        #expect(!"\(message)".contains("secret12"))
        #expect("\(message)".contains("<redacted>"))
    }
}
