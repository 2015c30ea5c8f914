package import Keychain
internal import ProvisioningProtocol

/// The Wi-Fi networks in reach of boxed devices.
package struct WiFiSurroundings: Sendable {
    /// A network in reach.
    package struct Network: Equatable, Sendable {
        /// Its name, 1 to 32 bytes.
        package let ssid: String
        /// Its passphrase; empty for an open network.
        package let passphrase: Secret
    }

    /// The networks, in the order in which they were named.
    package let networks: [Network]

    /// - Throws: ``InvalidNetwork`` if two of them have the same name.
    package init(_ networks: [Network]) throws(InvalidNetwork) {
        var names: Set<String> = []
        for network in networks where !names.insert(network.ssid).inserted {
            throw InvalidNetwork(
                reason: "the network \(network.ssid) is named twice; give it one passphrase")
        }
        self.networks = networks
    }

    /// What a scan finds: the first network is the strongest.
    var scan: [WiFiNetwork] {
        networks.enumerated().map { index, network in
            WiFiNetwork(
                ssid: Array(network.ssid.utf8), channel: 1 + index * 5 % 13,
                signalDBm: max(-40 - 10 * index, -95), bssid: Self.bssid(index),
                protection: network.protection)
        }
    }

    /// Joins a network.
    func join(_ credentials: WiFiCredentials) throws(JoinFailure) -> WiFiConnection {
        guard
            let index = networks.firstIndex(where: { Array($0.ssid.utf8) == credentials.ssid })
        else { throw JoinFailure(reason: .networkNotFound) }
        let network = networks[index]
        guard network.passphrase.count == 0 || network.passphrase == credentials.passphrase else {
            throw JoinFailure(reason: .wrongPassphrase)
        }
        return WiFiConnection(
            address: "127.0.0.1", protection: network.protection, ssid: credentials.ssid,
            bssid: Self.bssid(index), channel: 1 + index * 5 % 13)
    }

    /// An address that is administered locally.
    private static func bssid(_ index: Int) -> [UInt8] {
        [0x02, 0, 0, 0, UInt8(truncatingIfNeeded: index >> 8), UInt8(truncatingIfNeeded: index)]
    }
}

extension WiFiSurroundings.Network {
    /// Reads `SSID=PASSPHRASE`, split at the first `=`; `SSID=` is an open network.
    /// - Throws: ``InvalidNetwork`` if the name has not 1 to 32 bytes, or the passphrase not 8 to 63 (or 64
    ///   hexadecimal digits: the key itself).
    package init(_ text: String) throws(InvalidNetwork) {
        guard let equals = text.firstIndex(of: "=") else {
            throw InvalidNetwork(
                reason: "there is no =: write SSID=PASSPHRASE, or SSID= if it is open")
        }
        ssid = String(text[..<equals])
        let passphrase = text[text.index(after: equals)...].utf8
        guard (1...32).contains(ssid.utf8.count) else {
            throw InvalidNetwork(reason: "the name of a network has 1 to 32 bytes")
        }
        let isKey = passphrase.count == 64 && text.suffix(64).allSatisfy(\.isHexDigit)
        guard passphrase.isEmpty || (8...63).contains(passphrase.count) || isKey else {
            throw InvalidNetwork(
                reason: "a passphrase has 8 to 63 bytes, or 64 hexadecimal digits, or none")
        }
        self.passphrase = Secret(passphrase)
    }

    fileprivate var protection: WiFiProtection { passphrase.count == 0 ? .open : .wpa2 }
}

/// A text that names no network.
package struct InvalidNetwork: Error, Hashable, Sendable, CustomStringConvertible {
    let reason: String
    package var description: String { reason }
}

/// A network that could not be joined.
struct JoinFailure: Error {
    let reason: WiFiFailure
}
