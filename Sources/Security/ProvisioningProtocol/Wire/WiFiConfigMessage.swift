package import Keychain

/// A message of the endpoint `prov-config`: the Wi-Fi network that the device shall join.
package enum WiFiConfigMessage: Equatable, Sendable {
    /// Asks how far the device has come.
    case getStatus
    /// How far it has come.
    case status(ProvisioningStatus, WiFiStatus)
    /// Names the network; the device joins at ``apply``.
    case set(WiFiCredentials)
    /// The answer to ``set(_:)``.
    case setResponse(ProvisioningStatus)
    /// Has the device join.
    case apply
    /// The answer to ``apply``.
    case applyResponse(ProvisioningStatus)
}

/// A Wi-Fi network and its passphrase.
package struct WiFiCredentials: Equatable, Sendable {
    /// The network's name: 1 to 32 bytes.
    package let ssid: [UInt8]
    /// The passphrase: none for an open network, else at most 64 bytes.
    package let passphrase: Secret

    package init(ssid: [UInt8], passphrase: Secret) {
        self.ssid = ssid
        self.passphrase = passphrase
    }
}

/// How far a device has come with its Wi-Fi network.
package enum WiFiStatus: Hashable, Sendable {
    /// It has joined.
    case connected(WiFiConnection)
    /// It is joining; after a failed attempt with how many are left.
    case connecting(attemptsRemaining: Int?)
    /// It has no network to join.
    case disconnected
    /// It could not join and does not try again.
    case failed(WiFiFailure)
}

/// The network that a device has joined.
package struct WiFiConnection: Hashable, Sendable {
    /// The device's address, as text.
    package let address: String
    /// How the network is protected.
    package let protection: WiFiProtection
    /// The network's name.
    package let ssid: [UInt8]
    /// The address of the access point, 6 bytes.
    package let bssid: [UInt8]
    /// The channel.
    package let channel: Int

    package init(
        address: String, protection: WiFiProtection, ssid: [UInt8], bssid: [UInt8], channel: Int
    ) {
        self.address = address
        self.protection = protection
        self.ssid = ssid
        self.bssid = bssid
        self.channel = channel
    }
}

/// Why a device could not join a network.
package enum WiFiFailure: Int, Hashable, Sendable, CaseIterable {
    /// The passphrase is wrong.
    case wrongPassphrase = 0
    /// The network is not in reach.
    case networkNotFound = 1
}

/// How a network is protected. An open set: newer access points have further ways.
package struct WiFiProtection: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Not at all.
    package static let open = WiFiProtection(rawValue: 0)
    /// WEP.
    package static let wep = WiFiProtection(rawValue: 1)
    /// WPA with a passphrase.
    package static let wpa = WiFiProtection(rawValue: 2)
    /// WPA2 with a passphrase.
    package static let wpa2 = WiFiProtection(rawValue: 3)
    /// WPA or WPA2 with a passphrase.
    package static let wpaOrWPA2 = WiFiProtection(rawValue: 4)
    /// WPA2 with a user's credentials.
    package static let wpa2Enterprise = WiFiProtection(rawValue: 5)
    /// WPA3 with a passphrase.
    package static let wpa3 = WiFiProtection(rawValue: 6)
    /// WPA2 or WPA3 with a passphrase.
    package static let wpa2OrWPA3 = WiFiProtection(rawValue: 7)
}

private enum Kind: Int {
    case getStatus = 0
    case status = 1
    case set = 2
    case setResponse = 3
    case apply = 4
    case applyResponse = 5

    /// The field of the message's own content.
    var field: UInt64 { UInt64(10 + rawValue) }
}

private enum StationState: Int {
    case connected = 0
    case connecting = 1
    case disconnected = 2
    case failed = 3
}

extension WiFiConfigMessage: WireMessage {
    package init(_ bytes: [UInt8]) throws(ProvisioningProtocolError) {
        let message = try ProtobufMessage(bytes[...])
        let kind = try message.choice(1, Kind.self)
        let content = try message.message(kind.field)
        switch kind {
        case .getStatus: self = .getStatus
        case .status: self = .status(try content.choice(1), try WiFiStatus(content))
        case .set:
            var passphrase = try content.bytes(2)
            self = .set(
                WiFiCredentials(ssid: try content.bytes(1), passphrase: Secret(passphrase)))
            passphrase.overwrite()
        case .setResponse: self = .setResponse(try content.choice(1))
        case .apply: self = .apply
        case .applyResponse: self = .applyResponse(try content.choice(1))
        }
    }

    package var bytes: [UInt8] {
        ProtobufWriter.message { writer in
            switch self {
            case .getStatus: writer.put(.getStatus) { _ in }
            case .status(let status, let station):
                writer.put(.status) { writer in
                    writer.put(1, status)
                    station.write(to: &writer)
                }
            case .set(let credentials):
                writer.put(.set) { writer in
                    writer.put(1, credentials.ssid)
                    writer.put(2, credentials.passphrase)
                }
            case .setResponse(let status): writer.put(.setResponse) { $0.put(1, status) }
            case .apply: writer.put(.apply) { _ in }
            case .applyResponse(let status): writer.put(.applyResponse) { $0.put(1, status) }
            }
        }
    }
}

extension WiFiStatus {
    fileprivate init(_ content: ProtobufMessage) throws(ProvisioningProtocolError) {
        switch try content.choice(2, StationState.self) {
        case .connected: self = .connected(try WiFiConnection(try content.message(11)))
        case .connecting:
            let attempts = content.has(12) ? try content.message(12).count(1) : nil
            self = .connecting(attemptsRemaining: attempts)
        case .disconnected: self = .disconnected
        case .failed: self = .failed(try content.choice(10))
        }
    }

    fileprivate func write(to writer: inout ProtobufWriter) {
        switch self {
        case .connected(let connection):
            writer.put(11) { connection.write(to: &$0) }
        case .connecting(let attempts):
            writer.put(2, StationState.connecting)
            if let attempts { writer.put(12) { $0.put(1, attempts) } }
        case .disconnected: writer.put(2, StationState.disconnected)
        case .failed(let failure):
            writer.put(2, StationState.failed)
            writer.put(10, failure)
        }
    }
}

extension WiFiConnection {
    fileprivate init(_ content: ProtobufMessage) throws(ProvisioningProtocolError) {
        address = try content.text(1)
        protection = try content.choice(2)
        ssid = try content.bytes(3)
        bssid = try content.bytes(4)
        channel = try content.count(5)
    }

    fileprivate func write(to writer: inout ProtobufWriter) {
        writer.put(1, address.utf8)
        writer.put(2, protection)
        writer.put(3, ssid)
        writer.put(4, bssid)
        writer.put(5, channel)
    }
}

extension ProtobufWriter {
    fileprivate mutating func put(_ kind: Kind, _ body: (inout ProtobufWriter) -> Void) {
        put(1, kind)
        put(kind.field, message: body)
    }
}
