internal import Basics
package import DeviceDomain
internal import Keychain

// The member `mac` of the messages of a claim (PROVISIONING, "The claim"). The stream of Security 1 does not
// protect against changes on the way, so these messages protect themselves.
extension SecureChannel {
    private static let info = Array("homeport-claim".utf8)
    private static let opening = Array(#","mac":""#.utf8)
    private static let closing = Array(#""}"#.utf8)
    private static let digits = 64

    /// Appends the member `mac` to a message of a claim; over Security 0, which has no key, it stays as it is.
    /// - Precondition: the message is a JSON object with a member.
    package func authenticate(_ message: [UInt8], of nonce: ClaimNonce) -> [UInt8] {
        guard let key = claimKey(nonce) else { return message }
        let code = Cryptography.hmac(message, key: key).hexadecimal
        return message.dropLast() + Self.opening + code.utf8 + Self.closing
    }

    /// Checks the member `mac` of a message of a claim.
    /// - Returns: the message without it.
    /// - Throws: ``ProvisioningProtocolError`` with code `notAuthentic`; the session must then be given up.
    package func verify(
        _ message: [UInt8], of nonce: ClaimNonce
    ) throws(ProvisioningProtocolError) -> [UInt8] {
        guard let key = claimKey(nonce) else { return message }
        let end = message.suffix(Self.opening.count + Self.digits + Self.closing.count)
        guard end.starts(with: Self.opening), end.suffix(Self.closing.count) == Self.closing[...]
        else {
            throw ProvisioningProtocolError(
                .notAuthentic,
                "a message of the claim does not end with its member mac, so that it may have been "
                    + "changed on the way; start a new session")
        }
        let content = Array(message.dropLast(end.count)) + [UInt8(ascii: "}")]
        let code = Array(end.dropFirst(Self.opening.count).prefix(Self.digits))
        guard
            code.isSame(
                as: Array(Cryptography.hmac(content, key: key).hexadecimal.utf8))
        else {
            throw ProvisioningProtocolError(
                .notAuthentic,
                "a message of the claim does not fit its member mac: it was changed on the way; "
                    + "start a new session")
        }
        return content
    }

    /// HKDF-SHA256 of the session's key; `nil` over Security 0.
    private func claimKey(_ nonce: ClaimNonce) -> Secret? {
        sessionKey.map {
            Cryptography.hkdf($0, salt: Array(nonce.rawValue.utf8), info: Self.info)
        }
    }
}
