public import DeviceDomain
public import DeviceMessages

/// Issues the certificates of devices that are claimed.
public protocol ClaimAuthority: Sendable {
    /// The certificates that the broker's certificate may come from, in PEM; `nil` where the device needs none.
    func authorities() async throws(ProvisioningError) -> String?

    /// Makes a token that a device can ask for one certificate with, once.
    func makeToken(for device: DeviceID) async throws(ProvisioningError) -> ClaimToken

    /// Issues the certificate that a device asks for; it is staged until ``activate(_:for:)``.
    func issue(
        to device: DeviceID, _ request: ClaimRequest
    ) async throws(ProvisioningError) -> StagedCertificate

    /// Takes a staged certificate into use; does nothing for one that is in use.
    func activate(_ serial: String, for device: DeviceID) async throws(ProvisioningError)

    /// Takes back every staged certificate of a device; nothing happens to one that is in use.
    func discardStaged(of device: DeviceID) async throws(ProvisioningError)
}

/// A certificate that its device has not been seen with.
public struct StagedCertificate: Hashable, Sendable {
    /// Identifies it.
    public let serial: String
    /// The certificate in PEM.
    public let certificate: String

    public init(serial: String, certificate: String) {
        self.serial = serial
        self.certificate = certificate
    }
}
