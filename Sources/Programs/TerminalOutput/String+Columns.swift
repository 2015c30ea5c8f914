extension StringProtocol {
    /// How many columns of a terminal the text takes.
    package var columns: Int {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return utf8.count }
        return reduce(0) { $0 + $1.columns }
    }
}

extension Character {
    /// How many columns of a terminal the character takes: a mark that combines with the character
    /// before it takes none, an East Asian wide character or an emoji two.
    package var columns: Int {
        let scalars = unicodeScalars
        if scalars.contains(where: \.isWide) || isEmojiByVariation || isFlag { return 2 }
        return scalars.allSatisfy(\.isCombining) ? 0 : 1
    }

    /// A character that is shown as an emoji because of the variation selector behind it.
    private var isEmojiByVariation: Bool {
        guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
        return unicodeScalars.dropFirst().contains("\u{FE0F}")
    }

    /// A pair of regional indicators.
    private var isFlag: Bool {
        unicodeScalars.count == 2
            && unicodeScalars.allSatisfy { (0x1F1E6...0x1F1FF).contains($0.value) }
    }
}

extension Unicode.Scalar {
    /// East Asian wide and fullwidth characters (Unicode Standard Annex 11), and emoji.
    fileprivate var isWide: Bool {
        switch value {
        case ..<0x1100: false
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265,
            0x20000...0x2FFFD, 0x30000...0x3FFFD:
            true
        default: properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF).contains(value)
        }
    }

    /// Whether the character takes no column of its own.
    fileprivate var isCombining: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }
}
