/// A message of one endpoint.
package protocol WireMessage: Equatable, Sendable {
    /// Reads a message.
    /// - Throws: ``ProvisioningProtocolError`` with code `malformed`.
    init(_ bytes: [UInt8]) throws(ProvisioningProtocolError)
    /// Its bytes.
    var bytes: [UInt8] { get }
}
