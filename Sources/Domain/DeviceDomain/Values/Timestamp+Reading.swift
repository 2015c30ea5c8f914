extension Timestamp {
    /// Reads `2025-11-24T16:00Z`, with seconds and their fraction if wanted, and `Z` or an offset such as `+02:00`
    /// (ISO 8601); `nil` for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, let date = CalendarDate(String(parts[0])),
            let zone = parts[1].firstIndex(where: { "Z+-".contains($0) }),
            let time = Self.milliseconds(ofClock: parts[1][..<zone], hasSeconds: true),
            let offset = Self.milliseconds(ofZone: parts[1][zone...])
        else { return nil }
        self.init(milliseconds: date.daysSinceEpoch * 86_400_000 + time - offset)
    }

    private static func milliseconds(ofZone text: Substring) -> Int? {
        guard text != "Z" else { return 0 }
        let offset = milliseconds(ofClock: text.dropFirst(), hasSeconds: false)
        return text.first == "-" ? offset.map { -$0 } : text.first == "+" ? offset : nil
    }

    private static func milliseconds(ofClock text: Substring, hasSeconds: Bool) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || (hasSeconds && parts.count == 3),
            let hours = twoDigits(parts[0], upTo: 23), let minutes = twoDigits(parts[1], upTo: 59)
        else { return nil }
        let whole = (hours * 60 + minutes) * 60_000
        return parts.count == 2 ? whole : milliseconds(ofSeconds: parts[2]).map { whole + $0 }
    }

    private static func milliseconds(ofSeconds text: Substring) -> Int? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let seconds = twoDigits(parts[0], upTo: 59) else { return nil }
        guard parts.count == 2 else { return seconds * 1000 }
        let digits = parts[1]
        guard (1...3).contains(digits.utf8.count), let fraction = number(digits) else { return nil }
        return seconds * 1000 + [100, 10, 1][digits.utf8.count - 1] * fraction
    }

    private static func twoDigits(_ text: Substring, upTo limit: Int) -> Int? {
        guard text.utf8.count == 2, let number = number(text), number <= limit else { return nil }
        return number
    }

    private static func number(_ text: Substring) -> Int? {
        let isPlain = text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        return isPlain ? Int(text) : nil
    }
}
