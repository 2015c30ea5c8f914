public import DeviceDomain

/// The home that a device comes into, as far as provisioning needs it.
public protocol DeviceArrivalObserver: Sendable {
    /// What is known of a device now.
    /// - Throws: ``ProvisioningError`` `broker` if the home has no connection.
    func sighting(of device: DeviceID) async throws(ProvisioningError) -> DeviceSighting

    /// Waits until a device is online with a claim.
    /// - Throws: ``ProvisioningError`` `cancelled`, `broker`.
    func arrival(of device: DeviceID, with nonce: ClaimNonce) async throws(ProvisioningError)

    /// Has a device commit its claim, once it has come. A device that has done so already does nothing.
    /// - Throws: ``ProvisioningError`` `commitRefused` for a device that will not, an error that may pass where
    ///   it is not known.
    func commit(_ nonce: ClaimNonce, of device: DeviceID) async throws(ProvisioningError)
}

/// What a home knows of a device at one moment.
public enum DeviceSighting: Hashable, Sendable {
    /// Nothing.
    case none
    /// It was there, and is not now.
    case offline
    /// It is there; with the claim that it has not committed.
    case online(claim: ClaimNonce?)
}
