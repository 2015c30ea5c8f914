extension String {
    /// The text with control characters made visible as `\u{1B}`, so that a name that a device
    /// gave itself cannot steer a terminal.
    var printable: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        return unicodeScalars.map { scalar in
            scalar.isControl
                ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
        }.joined()
    }

    /// The text with its line breaks as blanks.
    var onOneLine: String {
        String(map { $0.isNewline ? " " : $0 }).printable
    }

    /// How many columns of a terminal the text takes.
    var columns: Int {
        reduce(0) { $0 + ($1.unicodeScalars.first?.isWide == true ? 2 : 1) }
    }
}

extension Unicode.Scalar {
    /// C0 and C1 controls, DEL, and the marks that turn the direction of writing.
    fileprivate var isControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        default: false
        }
    }

    /// East Asian wide characters and emoji, roughly (Unicode Standard Annex 11).
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
