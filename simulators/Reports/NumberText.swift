import DeviceDomain

/// Numbers as people read them.
enum NumberText {
    /// A number to three decimals at most, without zeros at its end: `0.98`, `12`.
    static func short(_ number: Double) -> String {
        let rounded = (number * 1000).rounded() / 1000
        return Int(exactly: rounded).map { "\($0)" } ?? "\(rounded)"
    }

    /// A whole number in groups of three digits: `12 345`.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        let text = digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset) % 3 == 0 { text += "\u{202F}" }
            text.append(digit.element)
        }
        return number < 0 ? "−\(text)" : text
    }

    /// A mark at an axis: `1.5 k`, `0.2`.
    static func mark(_ number: Double) -> String {
        let magnitude = number.magnitude
        if magnitude >= 1_000_000 { return "\(short(number / 1_000_000)) M" }
        if magnitude >= 10_000 { return "\(short(number / 1000)) k" }
        return short(number)
    }

    /// A time in milliseconds: `820 ms`, `1.25 s`, `2 min 5 s`.
    static func milliseconds(_ time: Int) -> String {
        time < 1000 ? "\(time) ms" : seconds(Double(time) / 1000)
    }

    /// A time in seconds: `0.4 s`, `12 s`, `2 min 5 s`, `3 h 20 min`, `2 d 4 h`.
    static func seconds(_ time: Double) -> String {
        guard time >= 60 else { return "\(short((time * 100).rounded() / 100)) s" }
        let whole = Int(min(time.rounded(), 1e12))
        let parts = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        var (rest, words) = (whole, [String]())
        for (length, unit) in parts where words.count < 2 {
            if rest >= length { words.append("\(rest / length) \(unit)") }
            rest %= length
        }
        return words.joined(separator: " ")
    }

    /// A moment: `2026-06-21 06:00:05`, UTC.
    static func moment(_ moment: Timestamp) -> String {
        let text = "\(moment)"
        return text.prefix(10) + " " + text.dropFirst(11).prefix(8)
    }
}
