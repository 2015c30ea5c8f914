/// An endpoint of a device's access point: the path of an HTTP POST.
package struct ProvisioningEndpoint: RawRepresentable, Hashable, Sendable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// What the device speaks, in plain text: ``ProvisioningVersion``.
    package static let version = ProvisioningEndpoint(rawValue: "proto-ver")
    /// The handshake: ``SessionMessage``.
    package static let session = ProvisioningEndpoint(rawValue: "prov-session")
    /// Networks in reach: ``WiFiScanMessage``.
    package static let scan = ProvisioningEndpoint(rawValue: "prov-scan")
    /// The network to join: ``WiFiConfigMessage``.
    package static let config = ProvisioningEndpoint(rawValue: "prov-config")
    /// Another try: ``ControlMessage``.
    package static let control = ProvisioningEndpoint(rawValue: "prov-ctrl")
    /// The home to join: `ClaimOffer` and what follows it.
    package static let claim = ProvisioningEndpoint(rawValue: "claim")

    /// The content type of every request.
    package static let contentType = "application/x-www-form-urlencoded"
    /// The most bytes of a request and of an answer.
    package static let largestBody = 4096
    /// What a client sends to ``version``.
    package static let versionRequest = Array("---".utf8)
}
