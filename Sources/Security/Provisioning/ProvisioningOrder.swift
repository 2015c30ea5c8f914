public import DeviceDomain
public import Keychain
public import ProvisioningProtocol

/// What a user wants: this device, on this network, in this home.
public struct ProvisioningOrder: Sendable {
    /// What the device's label says.
    public var code: SetupCode
    /// The name that the device gets; `nil` for one that is made from the label.
    public var device: DeviceID?
    /// The home.
    public var home: HomeID
    /// The URL of the broker, as the device is to reach it.
    public var broker: String
    /// The name of the Wi-Fi network.
    public var ssid: String
    /// Its password; empty for an open network.
    public var password: Secret
    /// The protection that is asked for; `nil` takes the one that the label or else the device names, but
    /// never none.
    public var security: ProvisioningSecurity?
    /// Whether a session of Security 2 may repeat a nonce, which lets a listener read the Wi-Fi password.
    public var allowsWeakSession = false

    public init(
        _ code: SetupCode, as device: DeviceID? = nil, home: HomeID, broker: String, ssid: String,
        password: Secret, security: ProvisioningSecurity? = nil
    ) {
        self.code = code
        self.device = device
        self.home = home
        self.broker = broker
        self.ssid = ssid
        self.password = password
        self.security = security
    }

    /// The name that the device gets: the label in lower case, with hyphens for what no name may have.
    /// - Throws: ``ProvisioningError`` `nameTaken` for a label of which no name can be made.
    func deviceName() throws(ProvisioningError) -> DeviceID {
        if let device { return device }
        let text = code.name.lowercased().map {
            $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-"
        }
        if let device = DeviceID(rawValue: String(text)) { return device }
        throw ProvisioningError(
            .nameTaken, "the label \(code.name) gives no name for the device", .chooseName)
    }
}
