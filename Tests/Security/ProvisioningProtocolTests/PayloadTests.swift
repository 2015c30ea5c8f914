import Keychain
import ProvisioningProtocol
import TestSupport
import Testing

@Suite struct SetupCodeTests {
    private let text =
        #"{"ver":"v1","name":"PROV_ab12cd","pop":"abcd1234","username":"wifiprov","#
        + #""transport":"softap","security":2}"#

    @Test func aCodeIsReadAndWritten() throws {
        let code = try SetupCode(text: text)
        #expect(code.name == "PROV_ab12cd")
        #expect(code.proof == Secret(text: "abcd1234"))
        #expect(code.username == "wifiprov")
        #expect(code.security == .password)
        #expect(code.text == text)
    }

    @Test func theCodeOfAnotherVendorMaySayLess() throws {
        let code = try SetupCode(
            text: #"{"ver":"v1","name":"PROV_1","transport":"softap","network":"wifi"}"#)
        #expect(code.proof.count == 0)
        #expect(code.username == nil)
        #expect(code.security == nil)
    }

    @Test(
        arguments: [
            ("", "byte 0"), ("[1]", "no JSON object"), ("hello", "byte 0"),
            (#"{"name":"a","transport":"softap"}"#, "version is missing"),
            (#"{"ver":"v2","name":"a","transport":"softap"}"#, "version is v2"),
            (#"{"ver":"v1","name":"a","transport":"ble"}"#, "reached by ble"),
            (#"{"ver":"v1","name":"a"}"#, "reached by nothing"),
            (#"{"ver":"v1","transport":"softap"}"#, "name, 1 to 32 bytes, is missing"),
            (#"{"ver":"v1","name":"","transport":"softap"}"#, "name, 1 to 32 bytes, is missing"),
            (#"{"ver":"v1","name":7,"transport":"softap"}"#, "name is no text"),
            (#"{"ver":"v1","name":"a","name":"b","transport":"softap"}"#, "name"),
            (#"{"ver":"v1","name":"a","transport":"softap","security":3}"#, "security is not"),
        ])
    func anUnusableCodeHasAReason(text: String, reason: String) {
        do throws(ProvisioningProtocolError) {
            _ = try SetupCode(text: text)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.code == .unusableSetupCode)
            #expect(error.message.contains(reason), "\(error.message)")
            #expect(error.message.contains("device's label"))
        }
    }

    @Test func everyCodeSurvivesItsTextAndNoErrorShowsTheProof() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let spoiled = String(decoding: generator.spoiled(Array(text.utf8)), as: UTF8.self)
            do throws(ProvisioningProtocolError) {
                let code = try SetupCode(text: spoiled)
                let again = try SetupCode(text: code.text)
                #expect(again == code)
            } catch {
                #expect(error.code == .unusableSetupCode)
                #expect(!error.message.contains("abcd1234"))
            }
        }
    }
}

@Suite struct ProvisioningVersionTests {
    @Test func whatADeviceSaysIsRead() throws {
        let text = #"{"prov":{"ver":"v1.1","sec_ver":2,"sec_patch_ver":1,"cap":["wifi_scan"]}}"#
        let version = try ProvisioningVersion(json: Array(text.utf8))
        #expect(version == ProvisioningVersion(security: .password))
        #expect(String(decoding: version.json, as: UTF8.self) == text)
    }

    @Test func anOlderDeviceSaysLess() throws {
        let text = #"{"prov":{"ver":"v1.0","sec_ver":1,"cap":["wifi_scan","no_pop"]},"app":{}}"#
        let version = try ProvisioningVersion(json: Array(text.utf8))
        #expect(version.security == .proofOfPossession)
        #expect(version.securityPatch == 0)
        #expect(version.capabilities == ["wifi_scan", "no_pop"])
    }

    @Test(
        arguments: [
            ("<html>", ProvisioningProtocolError.Code.malformed), ("{}", .malformed),
            (#"{"prov":{"ver":"v1"}}"#, .malformed),
            (#"{"prov":{"ver":"v1","sec_ver":7}}"#, .unsupportedSecurity),
            (String(repeating: "[", count: 2_000), .malformed),
        ])
    func rubbishIsRefused(text: String, code: ProvisioningProtocolError.Code) {
        do throws(ProvisioningProtocolError) {
            _ = try ProvisioningVersion(json: Array(text.utf8))
            Issue.record("\(text) was read")
        } catch { #expect(error.code == code) }
    }
}
