internal import DeviceDomain
internal import DeviceMessages
internal import ProvisioningProtocol

extension ProvisioningError {
    /// Reads something that a device sent.
    static func reading<Value>(
        _ body: () throws(ProvisioningProtocolError) -> Value
    ) throws(ProvisioningError) -> Value {
        do {
            return try body()
        } catch {
            throw ProvisioningError(error)
        }
    }

    /// Reads a message of the claim.
    static func readingClaim<Value>(
        _ body: () throws(PayloadError) -> Value
    ) throws(ProvisioningError) -> Value {
        do {
            return try body()
        } catch {
            throw ProvisioningError(
                .unreadableAnswer, "the device's answer to the claim cannot be read: \(error)",
                .contact)
        }
    }

    init(_ error: ProvisioningProtocolError) {
        switch error.code {
        case .wrongProof: self = .wrongProof(error.message)
        case .unsupportedSecurity:
            self.init(.unsupportedSecurity, error.message, .contact)
        case .refused: self.init(.refused, error.message, .pressReset)
        case .malformed, .unexpected, .weakKey, .notAuthentic, .unusableSetupCode:
            self.init(.unreadableAnswer, error.message, .contact)
        }
    }

    static func wrongProof(_ reason: String) -> ProvisioningError {
        ProvisioningError(
            .wrongProof, "the device does not accept the code (\(reason))", .checkLabel)
    }

    static let sessionEnded = ProvisioningError(
        .connectionLost, "an earlier request had no answer, or a wrong one, which ends the session",
        .runAgain)

    static let weakSession = ProvisioningError(
        .weakSession,
        "the device uses one nonce for all messages of a session (sec_patch_ver 0), so that a "
            + "listener could read the Wi-Fi password; nothing was sent", .allowWeakSession)

    /// Said where such a session was allowed.
    static let weakSessionAllowed = ProvisioningError(
        .weakSession,
        "warning: the device uses one nonce for all messages of the session (sec_patch_ver 0); a "
            + "listener near it can read the Wi-Fi password, unless its firmware is updated",
        .contact)

    static let unexpectedAnswer = ProvisioningError(
        .unreadableAnswer, "the device answered another question than was asked", .contact)
}
