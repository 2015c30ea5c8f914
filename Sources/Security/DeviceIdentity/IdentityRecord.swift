internal import Basics
public import DeviceDomain

/// One certificate that a home's authority has issued.
public struct IdentityRecord: Hashable, Sendable {
    /// What became of a certificate, its validity aside.
    enum Standing: Hashable, Sendable {
        /// Issued, but its owner has not confirmed that it has it.
        case staged
        /// In use.
        case active
        /// Replaced by a newer one; still accepted until it expires.
        case superseded
        /// Refused by brokers since that time.
        case revoked(at: Timestamp)
    }

    /// Whom it is for.
    public let name: IdentityName
    /// Its serial number.
    public let serial: SerialNumber
    /// From when it is valid.
    public let notBefore: Timestamp
    /// Until when it is valid.
    public let notAfter: Timestamp
    var standing: Standing

    /// Certificates are valid from so long before they were issued, for clocks that are behind.
    static let allowance = Duration.seconds(3_600)
    /// How long a certificate may stay staged.
    static let stagedLifetime = Duration.seconds(3_600)

    /// Until when it is accepted, as it stands: for an hour while it is staged.
    public var acceptedUntil: Timestamp {
        switch standing {
        case .staged:
            min(notAfter, notBefore.advanced(by: Self.allowance + Self.stagedLifetime))
        case .active, .superseded, .revoked: notAfter
        }
    }

    /// Whether it is staged, and its hour is over: it counts as taken back from then on.
    func hasLapsed(at now: Timestamp) -> Bool { standing == .staged && now > acceptedUntil }

    /// Whether it was taken back at that time or later.
    public func wasRevoked(since time: Timestamp) -> Bool {
        if case .revoked(let revoked) = standing { revoked >= time } else { false }
    }

    /// Its state at a time.
    public func state(at now: Timestamp) -> IdentityState {
        switch standing {
        case .revoked: .revoked
        case .staged: now > notAfter ? .expired : hasLapsed(at: now) ? .revoked : .staged
        case .active: now > notAfter ? .expired : .active
        case .superseded: now > notAfter ? .expired : .superseded
        }
    }

    /// Whether a broker accepts it, as far as the authority knows.
    func isAccepted(at now: Timestamp) -> Bool {
        switch state(at: now) {
        case .staged, .active, .superseded: true
        case .expired, .revoked: false
        }
    }
}

/// The state of a certificate.
public enum IdentityState: String, Hashable, Sendable, CaseIterable {
    /// Issued, but its owner has not confirmed that it has it.
    case staged
    /// In use.
    case active
    /// Replaced by a newer one; still accepted until it expires.
    case superseded
    /// No longer valid.
    case expired
    /// Taken back: brokers refuse it.
    case revoked
}

/// The serial number of a certificate: 16 bytes, shown as 32 hexadecimal digits as `openssl` does.
public struct SerialNumber: Hashable, Sendable, CustomStringConvertible {
    static let size = 16
    let bytes: [UInt8]

    /// A random one. Its first byte is from 0x40 to 0x7F, so that it is positive and of full length.
    static func random() -> SerialNumber {
        var bytes = (0..<size).map { _ in UInt8.random(in: .min ... .max) }
        bytes[0] = bytes[0] & 0x3F | 0x40
        return SerialNumber(bytes: bytes)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads its digits; `nil` if they are no serial number of an authority of Homeport.
    public init?(_ text: String) {
        guard let bytes = [UInt8](hexadecimal: text), bytes.count == Self.size,
            (0x40...0x7F).contains(bytes[0])
        else { return nil }
        self.bytes = bytes
    }

    public var description: String { bytes.hexadecimal.uppercased() }
}
