extension String {
    /// The text between FSI and PDI where it has right-to-left letters: without these two characters
    /// a terminal reorders what stands beside it (Unicode Standard Annex 9). They take no column.
    package var isolated: String {
        guard unicodeScalars.contains(where: \.isRightToLeft) else { return self }
        return "\u{2068}\(self)\u{2069}"
    }
}

extension Unicode.Scalar {
    /// Whether the character is in a block whose letters are written from right to left
    /// (DerivedBidiClass.txt: the ranges with the default R or AL).
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF,
            0x1E800...0x1EFFF:
            true
        default: false
        }
    }
}
