internal import DeviceControlPresentation

/// A language of the pages; its raw value is its tag in a page (BCP 47).
typealias Language = AppSettings.Language

extension AppSettings.Language {
    /// Its own name.
    var ownName: String {
        switch self {
        case .english: "English"
        case .chinese: "中文"
        }
    }

    /// The language that a browser prefers (RFC 9110, section 12.5.4); English where it names none that
    /// is spoken here.
    init(accepting header: String?) {
        var best: (language: Language, weight: Double) = (.english, 0)
        for part in (header ?? "").split(separator: ",").prefix(32) {
            let fields = part.split(separator: ";")
            let tag = fields.first?.filter { $0 != " " }.lowercased() ?? ""
            let weight = Self.weight(fields.dropFirst())
            guard let language = Self(tag: tag), weight > best.weight else { continue }
            best = (language, weight)
        }
        self = best.language
    }

    private init?(tag: String) {
        switch tag.prefix(2) {
        case "en", "*": self = .english
        case "zh": self = .chinese
        default: return nil
        }
    }

    private static func weight(_ fields: ArraySlice<Substring>) -> Double {
        for field in fields {
            let pair = field.filter { $0 != " " }.split(separator: "=")
            if pair.count == 2, pair[0] == "q" { return Double(pair[1]) ?? 0 }
        }
        return 1
    }
}
