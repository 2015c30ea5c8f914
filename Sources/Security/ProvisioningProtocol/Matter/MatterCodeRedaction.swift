/// Hides a setup code in a text of somebody else, in whatever form it stands there.
struct MatterCodeRedaction {
    private static let hidden = "<redacted>"
    /// The fewest digits of a passcode that are hidden within longer numbers too: shorter ones are in too many.
    private static let distinctLength = 5

    private let passcode: String
    /// The digits that both manual codes of the device have: the second to the tenth (5.1.4.1).
    private let core: String
    /// The text of the QR code behind `MT:`; empty where a manual code was given.
    private let body: String

    /// - Parameters:
    ///   - passcode: in decimal digits without leading zeros.
    ///   - payload: the code as it was given, without separators.
    init(passcode: String, shortDiscriminator: Int, payload: String) {
        self.passcode = passcode
        let number = Int(passcode) ?? 0
        core =
            Self.digits((shortDiscriminator & 3) << 14 | number & 0x3FFF, 5)
            + Self.digits(number >> 14, 4)
        let isQR = payload.hasPrefix(MatterPayload.prefix)
        body = isQR ? String(payload.dropFirst(MatterPayload.prefix.count)) : ""
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(count - text.count, 0)) + text
    }

    func redacting(_ message: String) -> String { hidingNumbers(hidingPayloads(message)) }

    // MARK: QR codes

    /// Every payload of a QR code is hidden: that of this device cannot be told from others where the manual code was
    /// given.
    private func hidingPayloads(_ message: String) -> String {
        var result = ""
        var rest = message[...]
        while let found = Self.range(of: MatterPayload.prefix, in: rest) {
            result += rest[..<found.lowerBound] + Self.hidden
            rest = rest[found.upperBound...].drop(while: Self.isOfPayload)
        }
        result += rest
        guard !body.isEmpty else { return result }
        rest = result[...]
        var plain = ""
        while let found = Self.range(of: body, in: rest) {
            plain += rest[..<found.lowerBound] + Self.hidden
            rest = rest[found.upperBound...]
        }
        return plain + rest
    }

    private static func isOfPayload(_ character: Character) -> Bool {
        character.isASCII
            && (character.isLetter || character.isNumber || character == "-" || character == ".")
    }

    /// Where a text of ASCII stands, in letters of either case.
    private static func range(of text: String, in place: Substring) -> Range<String.Index>? {
        var start = place.startIndex
        while start < place.endIndex {
            let candidate = place[start...].prefix(text.count)
            if candidate.uppercased() == text { return start..<candidate.endIndex }
            start = place.index(after: start)
        }
        return nil
    }

    // MARK: Numbers

    /// Hides manual codes and passcodes: what matters are the digits, whatever separates groups of them.
    private func hidingNumbers(_ message: String) -> String {
        var result = ""
        var rest = message[...]
        while let start = rest.firstIndex(where: Self.isDigit) {
            result += rest[..<start]
            let run = Self.run(in: rest[start...])
            result += hiding(run)
            rest = rest[run.endIndex...]
        }
        return result + rest
    }

    /// Digits with blanks and hyphens between them.
    private static func run(in text: Substring) -> Substring {
        let run = text.prefix { isDigit($0) || isSeparator($0) }
        let end = run.lastIndex(where: isDigit).map(run.index(after:)) ?? run.startIndex
        return run[..<end]
    }

    private func hiding(_ run: Substring) -> String {
        if run.filter(Self.isDigit).contains(core) { return Self.hidden }
        return run.split(separator: " ", omittingEmptySubsequences: false).map { group in
            let digits = group.filter(Self.isDigit)
            if Self.significant(digits[...]) == passcode { return Self.hidden }
            return group.split(separator: "-", omittingEmptySubsequences: false).map { part in
                Self.significant(part) == passcode
                    || (passcode.count >= Self.distinctLength && part.contains(passcode))
                    ? Self.hidden : String(part)
            }.joined(separator: "-")
        }.joined(separator: " ")
    }

    private static func significant(_ digits: Substring) -> Substring {
        digits.drop { $0 == "0" }
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    private static func isSeparator(_ character: Character) -> Bool {
        character == "-" || character == " "
    }
}
