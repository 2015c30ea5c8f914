extension Duration {
    /// The units of written times, the largest first, each in milliseconds.
    private static let writtenUnits = [
        (suffix: "h", milliseconds: 3_600_000), (suffix: "m", milliseconds: 60_000),
        (suffix: "s", milliseconds: 1000), (suffix: "ms", milliseconds: 1),
    ]
    /// The longest time that can be written: ten years, so that no sum of times overflows.
    private static let longestWritten = 87_600 * 3_600_000

    /// Reads `500ms`, `30s`, `10m` or `24h`, or several of them, the largest first, as `1h30m`; `nil` for anything
    /// else, and above ten years.
    package init?(written text: String) {
        var rest = text[...]
        var units = Self.writtenUnits[...]
        var total = 0
        repeat {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            let word = rest.dropFirst(digits.count).prefix { $0.isASCII && $0.isLetter }
            guard digits.count <= 15, let number = Int(digits),
                let place = units.firstIndex(where: { $0.suffix == word }),
                number <= Self.longestWritten / units[place].milliseconds
            else { return nil }
            total += number * units[place].milliseconds
            units = units[(place + 1)...]
            rest = rest.dropFirst(digits.count + word.count)
        } while !rest.isEmpty
        guard total <= Self.longestWritten else { return nil }
        self = .milliseconds(total)
    }

    /// The duration as it is written: `1h30m`.
    package var written: String {
        var rest = Int(components.seconds) * 1000
        rest += Int(components.attoseconds / 1_000_000_000_000_000)
        var text = rest < 0 ? "-" : ""
        rest = abs(rest)
        for unit in Self.writtenUnits where rest >= unit.milliseconds {
            text += "\(rest / unit.milliseconds)\(unit.suffix)"
            rest %= unit.milliseconds
        }
        return text.isEmpty ? "0s" : text
    }

    /// As ``written``, in whole seconds from one minute on.
    package var writtenBriefly: String {
        self < .seconds(60) ? written : Duration.seconds(components.seconds).written
    }
}
