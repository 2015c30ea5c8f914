package import ProvisioningProtocol

/// The access point of a boxed device: one exchange after the other.
package protocol ProvisioningTransport: Sendable {
    /// Sends a body to an endpoint and waits for the answer.
    /// - Throws: ``ProvisioningError`` `noAccessPoint` where nothing was sent, `connectionLost` where it may have
    ///   been, `refused` for an answer that is an error, `unreadableAnswer` for one that is no HTTP.
    func post(
        _ body: [UInt8], to endpoint: ProvisioningEndpoint
    ) async throws(ProvisioningError) -> [UInt8]
}
