/// The other side of a provisioning session broke the protocol, or refused.
public struct ProvisioningProtocolError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public enum Code: Hashable, Sendable {
        /// Bytes that are no message of the protocol.
        case malformed
        /// A message that does not belong here, such as an answer to another question.
        case unexpected
        /// A security scheme that this side does not offer.
        case unsupportedSecurity
        /// The proof of possession, or user and password, are not those of the device.
        case wrongProof
        /// A public key that would make the session's key predictable.
        case weakKey
        /// An encrypted message that was changed, repeated or left out.
        case notAuthentic
        /// The device answered with a status other than success.
        case refused(ProvisioningStatus)
        /// A setup code that cannot be used.
        case unusableSetupCode
    }

    /// What kind of failure it is.
    public let code: Code
    /// What happened, why, and what to do.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

/// The status in a device's answer.
public enum ProvisioningStatus: Int, Hashable, Sendable, CaseIterable {
    /// It did what was asked.
    case success = 0
    /// It has another security scheme.
    case invalidSecurityScheme = 1
    /// It could not read the request.
    case invalidProtocol = 2
    /// Another client has its session.
    case tooManySessions = 3
    /// A value in the request is not allowed.
    case invalidArgument = 4
    /// It failed by itself.
    case internalError = 5
    /// Encryption or decryption failed.
    case cryptographicError = 6
    /// There is no session.
    case invalidSession = 7
}

extension ProvisioningStatus {
    /// Does nothing for success.
    /// - Throws: ``ProvisioningProtocolError`` with code `refused` for anything else.
    package func requireSuccess(of request: String) throws(ProvisioningProtocolError) {
        guard self != .success else { return }
        throw ProvisioningProtocolError(
            .refused(self), "the device refused \(request): \(description)")
    }
}

extension ProvisioningStatus: CustomStringConvertible {
    public var description: String {
        switch self {
        case .success: "success"
        case .invalidSecurityScheme: "it has another security scheme"
        case .invalidProtocol: "it could not read the request"
        case .tooManySessions: "another client has its session"
        case .invalidArgument: "a value in the request is not allowed"
        case .internalError: "it failed by itself"
        case .cryptographicError: "encryption or decryption failed"
        case .invalidSession: "there is no session"
        }
    }
}
