/// The five states of provisioning, as events name them.
public enum ProvisioningPhase: String, Hashable, Sendable, CaseIterable {
    /// Looks for the device: at its access point, or, where an attempt goes on, in the home.
    case scanning
    /// Joins the access point and opens a protected session.
    case connectingToDeviceAP = "connecting-to-device-ap"
    /// Gives the device its certificate and the Wi-Fi network.
    case sendingWiFiCredentials = "sending-wifi-credentials"
    /// Waits until the device shows itself at the home's broker.
    case confirmingCloudConnection = "confirming-cloud-connection"
    /// Commits the claim and takes the certificate into use.
    case finalizing
}
