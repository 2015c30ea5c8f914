private import Glibc

/// A return code of the C library, or an MQTT 5 reason code that it returns in the same place.
struct MosquittoCode: RawRepresentable, Hashable {
    let rawValue: Int32

    static let success = Self(rawValue: 0)
    static let outOfMemory = Self(rawValue: 1)
    static let protocolError = Self(rawValue: 2)
    static let invalid = Self(rawValue: 3)
    static let notConnected = Self(rawValue: 4)
    static let connectionRefused = Self(rawValue: 5)
    static let connectionLost = Self(rawValue: 7)
    static let tls = Self(rawValue: 8)
    static let payloadSize = Self(rawValue: 9)
    static let systemError = Self(rawValue: 14)
    static let lookup = Self(rawValue: 15)
    static let malformedUTF8 = Self(rawValue: 18)
    static let keepAlive = Self(rawValue: 19)
    static let malformedPacket = Self(rawValue: 21)
    static let qosNotSupported = Self(rawValue: 24)
    static let oversizePacket = Self(rawValue: 25)
    static let retainNotSupported = Self(rawValue: 28)

    /// The reason code of the broker's DISCONNECT, if this is one.
    var reasonCode: MQTTReasonCode? {
        UInt8(exactly: rawValue).flatMap { $0 >= 0x80 ? MQTTReasonCode(rawValue: $0) : nil }
    }
}

/// The return code of a call into the library, with its `errno`.
struct MosquittoResult {
    var code: MosquittoCode
    var systemError: Int32 = 0

    var isSuccess: Bool { code == .success }

    /// Whether the `errno` says that no TCP connection was established.
    var isUnreachable: Bool {
        [ECONNREFUSED, ETIMEDOUT, ENETUNREACH, EHOSTUNREACH].contains(systemError)
    }
}

extension MosquittoResult {
    /// The result of our own system call; nil is success.
    init(systemError: Int32?) {
        self.init(
            code: systemError == nil ? .success : .systemError, systemError: systemError ?? 0)
    }
}
