extension String {
    /// The text with control and direction characters escaped as `\u001b`, so that a name that a
    /// device gave itself cannot steer a terminal.
    package var printable: String {
        guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }),
            unicodeScalars.contains(where: \.isUnprintable)
        else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if scalar.isUnprintable {
                text += scalar.escape
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether a terminal obeys the character instead of showing it: C0 and C1 controls, DEL, line
    /// and paragraph separators, and the marks that change the direction of writing.
    package var isUnprintable: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The character as JSON escapes it.
    fileprivate var escape: String {
        let digits = String(value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}
