extension Duration {
    /// The units that the command line takes, each with its length in milliseconds.
    private static let textUnits = [
        (suffix: "ms", milliseconds: 1), (suffix: "s", milliseconds: 1_000),
        (suffix: "m", milliseconds: 60_000), (suffix: "h", milliseconds: 3_600_000),
        (suffix: "d", milliseconds: 86_400_000),
    ]

    /// Reads `500ms`, `30s`, `10m`, `24h` or `7d`; `nil` for anything else.
    package init?(text: String) {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let suffix = text.dropFirst(digits.count)
        guard digits.count <= 12, let count = Int(String(decoding: digits, as: UTF8.self)),
            let unit = Self.textUnits.first(where: { $0.suffix == suffix })
        else { return nil }
        let (milliseconds, isTooLong) = count.multipliedReportingOverflow(by: unit.milliseconds)
        if isTooLong { return nil }
        self = .milliseconds(milliseconds)
    }

    /// The duration in the largest unit up to hours that fits it exactly.
    package var text: String {
        let milliseconds =
            Int(components.seconds) * 1000
            + Int(components.attoseconds / 1_000_000_000_000_000)
        let units = Self.textUnits.dropLast()
        let unit = units.last { milliseconds % $0.milliseconds == 0 } ?? Self.textUnits[0]
        return milliseconds == 0 ? "0s" : "\(milliseconds / unit.milliseconds)\(unit.suffix)"
    }

    /// The duration as people read it.
    package var brief: String {
        let milliseconds =
            Int(components.seconds) * 1_000
            + Int(components.attoseconds / 1_000_000_000_000_000)
        switch milliseconds {
        case ..<1_000: return "\(milliseconds) ms"
        case ..<60_000: return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
        case ..<3_600_000: return "\(milliseconds / 60_000) min \(milliseconds / 1_000 % 60) s"
        default: return "\(milliseconds / 3_600_000) h \(milliseconds / 60_000 % 60) min"
        }
    }
}
