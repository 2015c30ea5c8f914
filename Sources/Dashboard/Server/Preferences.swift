/// What a browser has chosen, kept in its cookies.
struct Preferences: Hashable, Sendable {
    /// Light or dark.
    enum Theme: String, Hashable, Sendable, CaseIterable {
        /// As the system of the reader is set.
        case automatic = "auto"
        case light, dark
    }

    static let languageCookie = "homeport-language"
    static let themeCookie = "homeport-theme"
    /// How long they are kept: a year, in seconds.
    static let life = 31_536_000

    var language: Language
    var theme: Theme

    /// The choice of a browser, else what it says that its reader understands.
    init(_ request: PageRequest) {
        language =
            request.cookies[Self.languageCookie].flatMap(Language.init(rawValue:))
            ?? Language(accepting: request.acceptLanguage)
        theme = request.cookies[Self.themeCookie].flatMap(Theme.init(rawValue:)) ?? .automatic
    }
}
