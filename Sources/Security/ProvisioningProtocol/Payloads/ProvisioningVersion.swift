internal import DeviceDomain
internal import DeviceMessages

/// What a device says of its provisioning before a session: the answer of `proto-ver`.
package struct ProvisioningVersion: Hashable, Sendable {
    /// The version of provisioning, such as `v1.1`.
    package let version: String
    /// The scheme that the device asks for.
    package let security: ProvisioningSecurity
    /// Of Security 2: 0 has one nonce for all messages, 1 counts them.
    package let securityPatch: Int
    /// What it can do, such as `wifi_scan`.
    package let capabilities: [String]

    /// How a session of Security 2 makes its nonces.
    package var nonceUse: NonceUse { securityPatch < 1 ? .repeated : .counted }

    package init(
        version: String = "v1.1", security: ProvisioningSecurity, securityPatch: Int = 1,
        capabilities: [String] = [scanning]
    ) {
        self.version = version
        self.security = security
        self.securityPatch = securityPatch
        self.capabilities = capabilities
    }

    /// The capability of a device that can be asked for the networks that it finds.
    package static let scanning = "wifi_scan"
    /// The largest answer of `proto-ver`, and how deep it is at most.
    private static let limits = JSONLimits(
        bytes: ProvisioningEndpoint.largestBody, depth: JSONLimits.wire.depth)

    /// Reads what a device says.
    /// - Throws: ``ProvisioningProtocolError`` with code `malformed`, or `unsupportedSecurity` for a scheme
    ///   that this side does not know.
    package init(json bytes: [UInt8]) throws(ProvisioningProtocolError) {
        let object: JSONObject
        do throws(PayloadError) {
            object = try JSONReader.read(bytes, limits: Self.limits).object?["prov"]?.object ?? [:]
        } catch {
            throw .malformed("proto-ver: \(error)")
        }
        guard let version = object["ver"]?.string, let number = object["sec_ver"]?.integer else {
            throw .malformed("proto-ver: prov.ver or prov.sec_ver is missing")
        }
        guard let security = ProvisioningSecurity(rawValue: number) else {
            throw ProvisioningProtocolError(
                .unsupportedSecurity,
                "the device asks for Security \(number); only 0, 1 and 2 are supported")
        }
        self.init(
            version: version, security: security,
            securityPatch: object["sec_patch_ver"]?.integer ?? 0,
            capabilities: object["cap"]?.array?.compactMap(\.string) ?? [])
    }

    /// What a device answers.
    package var json: [UInt8] {
        var writer = JSONWriter()
        writer.writeObject { writer in
            writer.writeName("prov")
            writer.writeObject { writer in
                writer.writeName("ver")
                writer.write(version)
                writer.writeName("sec_ver")
                writer.write(security.rawValue)
                writer.writeName("sec_patch_ver")
                writer.write(securityPatch)
                writer.writeName("cap")
                writer.writeArray(capabilities) { $0.write($1) }
            }
        }
        return writer.bytes
    }
}
