internal import Keychain

/// The protection of every message after the handshake. Both directions share it: messages must be sealed and
/// opened in the order in which they travel.
package struct SecureChannel: Sendable {
    private enum Protection: Sendable {
        /// Security 0.
        case none
        /// Security 1: one stream, which goes on from the handshake.
        case stream(CounterStream)
        /// Security 2: AES-256-GCM.
        case authenticated(key: Secret, MessageNonce)
    }

    private var protection: Protection
    /// What the two sides share, and keys for other purposes are made of: 32 bytes of Security 1, 64 of
    /// Security 2; `nil` over Security 0.
    let sessionKey: Secret?

    static let unprotected = SecureChannel(protection: .none, sessionKey: nil)

    static func stream(_ stream: CounterStream) -> SecureChannel {
        SecureChannel(protection: .stream(stream), sessionKey: stream.key)
    }

    /// - Precondition: the session key has at least 32 bytes, the nonce 12.
    static func authenticated(
        sessionKey: [UInt8], nonce: [UInt8], _ use: NonceUse
    ) -> SecureChannel {
        SecureChannel(
            protection: .authenticated(
                key: Secret(sessionKey.prefix(Cryptography.keySize)), MessageNonce(nonce, use)),
            sessionKey: Secret(sessionKey))
    }

    /// Encrypts a message, in its own memory where nobody else has it.
    package mutating func seal(_ message: consuming [UInt8]) -> [UInt8] {
        switch protection {
        case .none: break
        case .stream(var stream):
            stream.apply(to: &message)
            protection = .stream(stream)
        case .authenticated(let key, var nonce):
            Cryptography.seal(&message, key: key, nonce: nonce.next())
            protection = .authenticated(key: key, nonce)
        }
        return message
    }

    /// Decrypts a message.
    /// - Throws: ``ProvisioningProtocolError`` with code `notAuthentic` in a session of Security 2 if the message
    ///   was changed, repeated or left out; the session must then be given up. Security 1 cannot tell.
    package mutating func open(
        _ message: consuming [UInt8]
    ) throws(ProvisioningProtocolError) -> [UInt8] {
        switch protection {
        case .none: break
        case .stream(var stream):
            stream.apply(to: &message)
            protection = .stream(stream)
        case .authenticated(let key, var nonce):
            guard Cryptography.open(&message, key: key, nonce: nonce.next()) else {
                throw ProvisioningProtocolError(
                    .notAuthentic,
                    "an encrypted message was changed, repeated or left out; start a new session")
            }
            protection = .authenticated(key: key, nonce)
        }
        return message
    }
}

/// How a session of Security 2 makes the nonces of its messages, which `sec_patch_ver` of `proto-ver` tells.
package enum NonceUse: Hashable, Sendable {
    /// `sec_patch_ver` 1: a counter in it rises with every message.
    case counted
    /// `sec_patch_ver` 0: every message has the same one. AES-GCM then hides nothing from a listener: two
    /// messages, one of which is known, give away the other.
    case repeated
}

/// The nonce of AES-GCM: 8 bytes of the session, then a counter that rises with every message in either
/// direction unless the nonce is repeated.
private struct MessageNonce: Sendable {
    private static let prefixSize = 8

    private let prefix: [UInt8]
    private var counter: UInt32
    private let use: NonceUse

    /// The nonce that the device chose; its last 4 bytes are where the counter starts.
    init(_ bytes: [UInt8], _ use: NonceUse) {
        precondition(bytes.count == SecureChannel.nonceSize, "a nonce has 12 bytes")
        prefix = Array(bytes.prefix(Self.prefixSize))
        counter = bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
        self.use = use
    }

    /// The nonce of the next message.
    mutating func next() -> [UInt8] {
        defer { if use == .counted { counter &+= 1 } }
        return prefix
            + stride(from: UInt32(24), through: 0, by: -8).map {
                UInt8(truncatingIfNeeded: counter >> $0)
            }
    }
}

extension SecureChannel {
    /// Bytes of the nonce of Security 2.
    static let nonceSize = 12
}
