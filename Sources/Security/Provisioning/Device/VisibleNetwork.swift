internal import ProvisioningProtocol

/// A Wi-Fi network that a boxed device finds.
public struct VisibleNetwork: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// How strong the device receives it, in dBm: about -30 beside the router, -80 far away.
    public let signalDBm: Int
    /// Whether it asks for no password.
    public let isOpen: Bool

    public init(name: String, signalDBm: Int, isOpen: Bool) {
        self.name = name
        self.signalDBm = signalDBm
        self.isOpen = isOpen
    }

    init(_ network: WiFiNetwork) {
        self.init(
            name: String(decoding: network.ssid, as: UTF8.self), signalDBm: network.signalDBm,
            isOpen: network.protection == .open)
    }
}
