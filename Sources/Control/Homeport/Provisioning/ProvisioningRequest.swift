public import DeviceDomain
public import Keychain
public import Provisioning
public import ProvisioningProtocol

/// How a boxed device is to come into a home.
public struct ProvisioningRequest: Sendable {
    /// What the device's label says.
    public var code: SetupCode
    /// The name of the Wi-Fi network.
    public var ssid: String
    /// Its password; empty for an open network.
    public var password: Secret
    /// The name that the device gets; `nil` for one that is made from the label.
    public var device: DeviceID?
    /// The protection that is asked for; `nil` takes the one that the label or else the device names, but never
    /// none.
    public var security: ProvisioningSecurity?
    /// Whether a session of Security 2 may repeat a nonce, which lets a listener read the Wi-Fi password.
    public var allowsWeakSession = false
    /// Where the access point answers; `nil` for a vendor's own address.
    public var address: AccessPointAddress?
    /// The URL of the broker that the device is told to join; `nil` for that of the home's configuration, else the
    /// listener of devices of the broker that was exported last, else the home's own broker.
    public var deviceBroker: String?
    /// Joins the access point.
    public var joiner: any AccessPointJoiner
    /// How long each state lasts at most.
    public var timeouts = ProvisioningTimeouts()

    public init(
        _ code: SetupCode, ssid: String, password: Secret, as device: DeviceID? = nil,
        security: ProvisioningSecurity? = nil, at address: AccessPointAddress? = nil,
        joiner: any AccessPointJoiner = JoinedAccessPoint()
    ) {
        self.code = code
        self.ssid = ssid
        self.password = password
        self.device = device
        self.security = security
        self.address = address
        self.joiner = joiner
    }
}
