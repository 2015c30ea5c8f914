/// How a provisioning session is protected; the number is Espressif's.
public enum ProvisioningSecurity: Int, Hashable, Sendable, CaseIterable {
    /// Not at all: everybody near the device reads the Wi-Fi password.
    case unprotected = 0
    /// By a key of X25519 and a proof of possession, a code that is printed on the device.
    case proofOfPossession = 1
    /// By SRP-6a, which proves a user's password to both sides and shows it to nobody.
    case password = 2
}
