public import DeviceDomain
public import Keychain
public import ProvisioningProtocol

/// What a user wants: this Matter device, on the server of this channel.
public struct CommissioningOrder: Sendable {
    /// What the device's label says.
    public var code: MatterSetupCode
    /// The home.
    public var home: HomeID
    /// The channel whose server takes the device.
    public var channel: ChannelID
    /// The Wi-Fi network that the server gives to new devices; `nil` leaves the one that it knows.
    public var wiFi: WiFiAccess?
    /// The Thread network that the server gives to new devices, its dataset in hexadecimal digits; `nil` leaves the one
    /// that it knows.
    public var thread: ThreadDataset?
    /// Whether the device is looked for in the server's network alone, and not by Bluetooth.
    public var networkOnly = false

    public init(
        _ code: MatterSetupCode, home: HomeID, channel: ChannelID, wiFi: WiFiAccess? = nil,
        thread: ThreadDataset? = nil
    ) {
        self.code = code
        self.home = home
        self.channel = channel
        self.wiFi = wiFi
        self.thread = thread
    }
}

/// A Wi-Fi network and its password.
public struct WiFiAccess: Equatable, Sendable {
    /// The name of the network.
    public let ssid: String
    /// Its password; empty for an open network.
    public let password: Secret

    public init(ssid: String, password: Secret) {
        self.ssid = ssid
        self.password = password
    }
}

/// The operational dataset of a Thread network, which holds its key.
public struct ThreadDataset: Equatable, Sendable {
    /// The most bytes that a dataset has (Thread specification 1.3, 8.4.3).
    private static let largest = 254

    /// Its hexadecimal digits.
    public let digits: Secret

    /// Reads hexadecimal digits; `nil` for what cannot be a dataset: a series of type, length and value.
    public init?(_ digits: Secret) {
        let bytes = digits.withUnsafeBytes { text -> [UInt8]? in
            let digits = text.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            guard digits.count == text.count, digits.count % 2 == 0 else { return nil }
            return stride(from: 0, to: digits.count, by: 2).map {
                UInt8(digits[$0] << 4 | digits[$0 + 1])
            }
        }
        guard let bytes, !bytes.isEmpty, bytes.count <= Self.largest else { return nil }
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let length = rest.dropFirst().first, rest.count >= 2 + Int(length) else {
                return nil
            }
            rest = rest.dropFirst(2 + Int(length))
        }
        self.digits = digits
    }
}
