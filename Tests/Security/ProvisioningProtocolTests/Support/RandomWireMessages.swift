import Keychain
import ProvisioningProtocol
import TestSupport

/// Random messages of every kind.
extension SeededGenerator {
    private mutating func bytes(upTo length: Int = 40) -> [UInt8] {
        (0..<Int.random(in: 0...length, using: &self)).map { _ in
            UInt8.random(in: 0...255, using: &self)
        }
    }

    private mutating func number(_ range: ClosedRange<Int> = 0...300) -> Int {
        Int.random(in: range, using: &self)
    }

    private mutating func status() -> ProvisioningStatus {
        ProvisioningStatus.allCases.randomElement(using: &self) ?? .success
    }

    private mutating func protection() -> WiFiProtection {
        WiFiProtection(rawValue: number(0...12))
    }

    mutating func sessionMessage() -> SessionMessage {
        switch number(0...9) {
        case 0: .security0Command
        case 1: .security0Response(status())
        case 2: .security1(.command0(clientKey: bytes()))
        case 3: .security1(.response0(status(), deviceKey: bytes(), random: bytes()))
        case 4: .security1(.command1(proof: bytes()))
        case 5: .security1(.response1(status(), proof: bytes()))
        case 6: .security2(.command0(username: "user-\(number())", clientKey: bytes(upTo: 384)))
        case 7: .security2(.response0(status(), deviceKey: bytes(upTo: 384), salt: bytes()))
        case 8: .security2(.command1(proof: bytes()))
        default: .security2(.response1(status(), proof: bytes(), nonce: bytes()))
        }
    }

    mutating func configMessage() -> WiFiConfigMessage {
        switch number(0...8) {
        case 0: .getStatus
        case 1: .set(WiFiCredentials(ssid: bytes(upTo: 32), passphrase: Secret(bytes())))
        case 2: .setResponse(status())
        case 3: .apply
        case 4: .applyResponse(status())
        default: .status(status(), station())
        }
    }

    private mutating func station() -> WiFiStatus {
        switch number(0...4) {
        case 0: .connecting(attemptsRemaining: nil)
        case 1: .connecting(attemptsRemaining: number())
        case 2: .disconnected
        case 3: .failed(WiFiFailure.allCases.randomElement(using: &self) ?? .wrongPassphrase)
        default:
            .connected(
                WiFiConnection(
                    address: "10.0.0.\(number(1...254))", protection: protection(),
                    ssid: bytes(upTo: 32), bssid: bytes(upTo: 6), channel: number()))
        }
    }

    mutating func scanMessage() -> WiFiScanMessage {
        switch number(0...5) {
        case 0:
            .start(
                WiFiScanOptions(
                    isBlocking: Bool.random(using: &self), isPassive: Bool.random(using: &self),
                    groupChannels: number(), periodMs: number()))
        case 1: .startResponse(status())
        case 2: .getStatus
        case 3: .status(status(), isFinished: Bool.random(using: &self), count: number())
        case 4: .getResults(start: number(), count: number())
        default: .results(status(), (0..<number(0...4)).map { _ in network() })
        }
    }

    private mutating func network() -> WiFiNetwork {
        WiFiNetwork(
            ssid: bytes(upTo: 32), channel: number(1...13), signalDBm: number(-100...0),
            bssid: bytes(upTo: 6), protection: protection())
    }

    mutating func controlMessage() -> ControlMessage {
        switch number(0...3) {
        case 0: .reset
        case 1: .resetResponse(status())
        case 2: .reprovision
        default: .reprovisionResponse(status())
        }
    }
}
