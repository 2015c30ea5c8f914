import Keychain
import ProvisioningProtocol
import Testing

/// Codes of the Matter SDK's example devices: passcode 20202021, discriminator 3840.
@Suite struct MatterSetupCodeTests {
    private static let manual = "34970112332"
    private static let qr = "MT:-24J0AFN00KA0648G00"

    private func problem(_ text: String) -> String? {
        do {
            _ = try MatterSetupCode(text: text)
            return nil
        } catch {
            return error.code == .unusableSetupCode ? error.message : nil
        }
    }

    private func text(_ secret: Secret) -> String {
        secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: ["34970112332", "3497-011-2332", " 3497 011 2332\n"])
    func aManualCodeIsRead(_ given: String) throws {
        let code = try MatterSetupCode(text: given)
        #expect(text(code.text) == Self.manual)
        #expect(code.discriminator == .short(15))
        #expect(code.vendor == nil && code.product == nil)
    }

    @Test func aLongManualCodeNamesMakerAndProduct() throws {
        let code = try MatterSetupCode(text: "749701123365521327694")
        #expect(code.discriminator == .short(15))
        #expect(code.vendor == 65_521 && code.product == 32_769)
    }

    @Test(arguments: ["MT:-24J0AFN00KA0648G00", "mt:-24j0afn00ka0648g00"])
    func aQRCodeIsRead(_ given: String) throws {
        let code = try MatterSetupCode(text: given)
        #expect(text(code.text) == Self.qr)
        #expect(code.discriminator == .long(3840))
        #expect(code.vendor == 65_521 && code.product == 32_769)
    }

    @Test func aDiscriminatorMatchesTheDeviceThatHasIt() throws {
        let (manual, qr) = (
            try MatterSetupCode(text: Self.manual), try MatterSetupCode(text: Self.qr)
        )
        #expect(manual.discriminator.matches(3841) && manual.discriminator.matches(3840))
        #expect(!manual.discriminator.matches(3839))
        #expect(qr.discriminator.matches(3840) && !qr.discriminator.matches(3841))
    }

    @Test func everyWrongDigitIsFound() {
        for place in 0..<11 {
            for digit in "0123456789" {
                var code = Array(Self.manual)
                guard code[place] != digit else { continue }
                code[place] = digit
                #expect(problem(String(code)) != nil, "\(String(code))")
            }
        }
    }

    @Test func everyExchangeOfNeighboursIsFound() {
        for place in 0..<10 {
            var code = Array(Self.manual)
            guard code[place] != code[place + 1] else { continue }
            code.swapAt(place, place + 1)
            #expect(problem(String(code)) != nil, "\(String(code))")
        }
    }

    @Test(arguments: [
        ("", "neither"), ("hello", "neither"), ("3497011233", "10 digits"),
        ("349701123321", "12 digits"), ("MT:", "0 characters"), ("MT:-24J0AFN00", "10 characters"),
        ("MT:-24J0AFN00KA0648G0_", "damaged"), ("MT:-24J0AFN00KA0648G0", "damaged"),
        ("MT:-24J0AFN00KA0648G00*-24J0AFN00KA0648G00", "several devices"),
        // Version 1, and a padding that is not empty.
        ("MT:.24J0AFN00KA0648G00", "version"), ("MT:-24J0AFN00KA0646NE0", "damaged"),
        // The passcodes 0 and 11111111.
        ("34915200008", "passcode"), ("35191106788", "passcode"),
        ("MT:-24J0AFN00KMSP0Z800", "passcode"), ("34970112333", "check digit"),
    ])
    func whatIsNoCodeIsRefusedWithItsCause(_ text: String, _ word: String) throws {
        let message = try #require(problem(text))
        #expect(message.contains(word), "\(message)")
        #expect(text.count < 6 || !message.contains(text.suffix(6)), "\(message)")
    }

    @Test func bothCodesOfADeviceHaveOneLabelThatTellsNothing() throws {
        let (manual, qr) = (
            try MatterSetupCode(text: Self.manual), try MatterSetupCode(text: Self.qr)
        )
        let (key, other) = (Secret("a key".utf8), Secret("another key".utf8))
        #expect(manual.label(key: key) == qr.label(key: key))
        #expect(manual.label(key: key) != manual.label(key: other))
        #expect(manual.label(key: key).utf8.count == 32)
        #expect(
            try MatterSetupCode(text: "749701123365521327694").label(key: key)
                == manual.label(key: key))
    }

    @Test func itIsHiddenInDescriptionsAndInWordsOfOthers() throws {
        for given in [Self.manual, Self.qr] {
            let code = try MatterSetupCode(text: given)
            #expect(!"\(code)".contains("20202021") && !"\(code)".contains(given))
            let words = code.redacting("PASE with 20202021 of \(given) failed")
            #expect(words == "PASE with <redacted> of <redacted> failed")
        }
    }

    @Test(
        arguments: [manual, "3497-011-2332", qr, "749701123365521327694"],
        [
            manual, "3497-011-2332", "3497 011 2332", "749701123365521327694",
            "7497-0112-3365521-32769-4", qr, "mt:-24j0afn00ka0648g00", "MT:Y.K9042C00KA0648G00",
            "20202021", "2020-2021", "020202021",
        ])
    func everyFormOfACodeIsHidden(_ given: String, _ told: String) throws {
        let code = try MatterSetupCode(text: given)
        #expect(
            code.redacting("error 50: PASE of '\(told)', node 7")
                == "error 50: PASE of '<redacted>', node 7")
    }

    @Test func aPayloadWithoutItsPrefixIsHiddenWhereItIsKnown() throws {
        let words = try MatterSetupCode(text: Self.qr).redacting("payload -24J0AFN00KA0648G00!")
        #expect(words == "payload <redacted>!")
    }

    @Test(arguments: [
        "no device with discriminator 3840 at fe80::1-2, 30 s, 34970112 or 2020",
        "CHIP Error 0x00000032: Timeout (2026-11-29 01:02:03)", "", "x- -1",
    ])
    func otherWordsStay(_ words: String) throws {
        for given in [Self.manual, Self.qr] {
            #expect(try MatterSetupCode(text: given).redacting(words) == words)
        }
    }
}
