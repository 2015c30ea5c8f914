package import ProvisioningProtocol

/// A request to an access point.
package struct AccessPointRequest: Sendable {
    /// The path, without the first slash.
    package let endpoint: ProvisioningEndpoint
    /// The session that the client names.
    package let session: Int?
    /// What it sends.
    package let body: [UInt8]

    package init(endpoint: ProvisioningEndpoint, session: Int?, body: [UInt8]) {
        self.endpoint = endpoint
        self.session = session
        self.body = body
    }
}

/// An answer of an access point.
package enum AccessPointAnswer: Hashable, Sendable {
    /// Done, in this session.
    case done(session: Int, body: [UInt8])
    /// There is no such endpoint.
    case unknownEndpoint
    /// It could not be done: status 500, as Espressif's devices answer, with the reason.
    case failed(session: Int, String)
}
