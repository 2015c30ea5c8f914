/// A time of day to the minute, by the clock on the wall.
public struct TimeOfDay: Hashable, Comparable, Sendable {
    /// Minutes after midnight, 0…1439.
    public let minutes: Int

    /// `00:00`.
    public static let midnight = TimeOfDay(validMinutes: 0)

    private init(validMinutes: Int) { minutes = validMinutes }

    /// - Returns: `nil` unless the minutes are 0…1439.
    public init?(minutes: Int) {
        guard (0..<1_440).contains(minutes) else { return nil }
        self.minutes = minutes
    }

    /// Reads `HH:MM` from `00:00` to `23:59`; `nil` for anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [0, 1, 3, 4].map { Int(bytes[$0]) - Int(UInt8(ascii: "0")) }
        guard digits.allSatisfy((0...9).contains) else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard hour < 24, minute < 60 else { return nil }
        minutes = hour * 60 + minute
    }

    public static func < (left: Self, right: Self) -> Bool { left.minutes < right.minutes }
}

/// As `08:30`.
extension TimeOfDay: CustomStringConvertible {
    public var description: String {
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }
}
