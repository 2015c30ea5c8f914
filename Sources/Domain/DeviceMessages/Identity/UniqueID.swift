public import DeviceDomain

/// A UUID of version 7 (RFC 9562): 48 bits of time in milliseconds, then randomness, so that ids
/// sort by the time of their making.
///
/// Its text is lower case; its 16 raw bytes are the MQTT 5 Correlation Data (PROTOCOL section 2).
public struct UniqueID<Role>: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Accepts 16 bytes that are a UUID of version 7, else `nil`.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(high: Self.half(bytes[..<8]), low: Self.half(bytes[8...]))
    }

    private static func half(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A new id, made at `time`; times outside the 48 bits are taken as the nearest.
    public init(at time: Timestamp, using generator: inout some RandomNumberGenerator) {
        self.init(
            at: time, .random(in: Self.first, using: &generator),
            .random(in: Self.second, using: &generator))
    }

    /// A new id with random numbers of the system.
    public init(at time: Timestamp) {
        self.init(at: time, .random(in: Self.first), .random(in: Self.second))
    }

    private static var first: ClosedRange<UInt64> { 0...0x0FFF }
    private static var second: ClosedRange<UInt64> { 0...(UInt64.max >> 2) }

    private init(at time: Timestamp, _ first: UInt64, _ second: UInt64) {
        let milliseconds = UInt64(min(max(time.milliseconds, 0), 0xFFFF_FFFF_FFFF))
        high = milliseconds << 16 | 0x7000 | first
        low = 0x8000_0000_0000_0000 | second
    }

    private init?(high: UInt64, low: UInt64) {
        guard high >> 12 & 0xF == 7, low >> 62 == 0b10 else { return nil }
        self.high = high
        self.low = low
    }

    /// The 16 raw bytes.
    public var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    /// When the id was made, by the clock of its maker.
    public var time: Timestamp { Timestamp(milliseconds: Int(high >> 16)) }
}

extension UniqueID {
    /// Accepts the text of a UUID of version 7 in lower case, else `nil`.
    public init?(_ text: String) {
        var halves: (UInt64, UInt64) = (0, 0)
        var position = 0
        for byte in text.utf8 {
            defer { position += 1 }
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == ASCII.minus else { return nil }
            } else {
                guard position < 36, let digit = Self.digit(byte) else { return nil }
                if position < 18 {
                    halves.0 = halves.0 << 4 | digit
                } else {
                    halves.1 = halves.1 << 4 | digit
                }
            }
        }
        guard position == 36 else { return nil }
        self.init(high: halves.0, low: halves.1)
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case ASCII.digits: UInt64(byte - ASCII.zero)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a")) + 10
        default: nil
        }
    }

    /// The text: 36 characters in lower case.
    public var text: String {
        var utf8: [UInt8] = []
        utf8.reserveCapacity(36)
        for nibble in 0..<32 {
            if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                utf8.append(ASCII.minus)
            }
            let half = nibble < 16 ? high : low
            let digit = UInt8(half >> (60 - 4 * UInt64(nibble % 16)) & 0xF)
            utf8.append(digit < 10 ? ASCII.zero + digit : UInt8(ascii: "a") + digit - 10)
        }
        return String(decoding: utf8, as: UTF8.self)
    }

    /// What a text must match, as a regular expression.
    public static var rule: String {
        "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    }
}

extension UniqueID: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension UniqueID: CustomStringConvertible {
    public var description: String { text }
}

/// The role of ``CommandID``.
public enum CommandRole: Sendable {}
/// The role of ``EventID``.
public enum EventIDRole: Sendable {}
/// Names one command; a resend keeps it.
public typealias CommandID = UniqueID<CommandRole>
/// Names one event; a device that tells it twice keeps it.
public typealias EventID = UniqueID<EventIDRole>
