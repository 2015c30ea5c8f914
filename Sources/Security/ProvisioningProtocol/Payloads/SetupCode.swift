internal import DeviceDomain
internal import DeviceMessages
public import Keychain

/// What the QR code on a device's label says.
public struct SetupCode: Equatable, Sendable {
    /// The name of the device's access point, such as `PROV_ab12cd`.
    public let name: String
    /// The proof of possession; empty where the device asks for none.
    public let proof: Secret
    /// The user of Security 2.
    public let username: String?
    /// The scheme; `nil` where the code does not say it and the device must be asked.
    public let security: ProvisioningSecurity?
    /// The password of the device's access point; `nil` where that is an open network.
    public let accessPointPassword: Secret?

    public init(
        name: String, proof: Secret, username: String? = nil, security: ProvisioningSecurity? = nil,
        accessPointPassword: Secret? = nil
    ) {
        self.name = name
        self.proof = proof
        self.username = username
        self.security = security
        self.accessPointPassword = accessPointPassword
    }

    /// The same without the proof of possession, for when no session is opened any more.
    package var withoutProof: SetupCode {
        SetupCode(name: name, proof: Secret([]), username: username, security: security)
    }

    /// The largest code, in bytes: what the largest QR code holds.
    private static let limits = JSONLimits(bytes: 2953, depth: 4)
    /// The version of codes that there is.
    private static let version = "v1"
    /// The only way of reaching a device that there is.
    private static let transport = "softap"

    /// Reads the text of a code.
    /// - Throws: ``ProvisioningProtocolError`` with code `unusableSetupCode`.
    public init(text: String) throws(ProvisioningProtocolError) {
        guard !MatterSetupCode.isOne(text) else { throw .codeOfMatterDevice }
        let members = try Self.members(of: text)
        let version = try Self.text("ver", in: members)
        guard version == Self.version else {
            throw .setupCode("its version is \(version ?? "missing"); only v1 is supported")
        }
        let transport = try Self.text("transport", in: members)
        guard transport == Self.transport else {
            throw .setupCode(
                "the device is reached by \(transport ?? "nothing that it names"); only softap, an "
                    + "access point, is supported")
        }
        guard let name = try Self.text("name", in: members), (1...32).contains(name.utf8.count)
        else { throw .setupCode("name, 1 to 32 bytes, is missing") }
        self.name = name
        proof = Secret((try Self.text("pop", in: members) ?? "").utf8)
        username = try Self.text("username", in: members)
        security = try Self.security(in: members)
        let password = try Self.text("password", in: members) ?? ""
        // nmcli reads one line.
        guard !password.contains(where: \.isNewline) else {
            throw .setupCode("password has a line break")
        }
        accessPointPassword = password.isEmpty ? nil : Secret(password.utf8)
    }

    private static func members(
        of text: String
    ) throws(ProvisioningProtocolError) -> JSONObject {
        do throws(PayloadError) {
            guard let members = try JSONReader.read(Array(text.utf8), limits: limits).object else {
                throw PayloadError(code: .wrongType, message: "it is no JSON object")
            }
            return members
        } catch {
            // The text may hold the proof of possession, so the error does not repeat it.
            throw .setupCode("\(error)")
        }
    }

    private static func text(
        _ name: String, in members: JSONObject
    ) throws(ProvisioningProtocolError) -> String? {
        guard let member = members[name] else { return nil }
        guard let text = member.string else { throw .setupCode("\(name) is no text") }
        return text
    }

    private static func security(
        in members: JSONObject
    ) throws(ProvisioningProtocolError) -> ProvisioningSecurity? {
        guard let member = members["security"] else { return nil }
        guard let security = member.integer.flatMap(ProvisioningSecurity.init(rawValue:)) else {
            throw .setupCode("security is not 0, 1 or 2")
        }
        return security
    }

    /// The text of the code, which holds the proof of possession.
    public var text: String {
        var writer = JSONWriter()
        writer.writeObject { writer in
            func put(_ name: String, _ text: String) {
                writer.writeName(name)
                writer.write(text)
            }
            put("ver", Self.version)
            put("name", name)
            put("pop", proof.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
            if let username { put("username", username) }
            if let accessPointPassword {
                put(
                    "password",
                    accessPointPassword.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
            }
            put("transport", Self.transport)
            if let security {
                writer.writeName("security")
                writer.write(security.rawValue)
            }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension ProvisioningProtocolError {
    /// A label of a Matter device was given where one of a boxed device is meant.
    fileprivate static let codeOfMatterDevice = ProvisioningProtocolError(
        .unusableSetupCode,
        "this is the code of a Matter device, not of a boxed device: pass it with --matter CODE --channel ID"
    )

    fileprivate static func setupCode(_ reason: String) -> ProvisioningProtocolError {
        ProvisioningProtocolError(
            .unusableSetupCode,
            "the setup code cannot be used: \(reason); give the text of the QR code on the "
                + "device's label")
    }
}
