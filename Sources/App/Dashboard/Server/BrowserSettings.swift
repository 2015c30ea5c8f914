internal import DeviceControlPresentation
internal import SharedPresentation

/// The settings of one browser, kept in its cookies.
@MainActor
final class BrowserSettings: SettingsRepository {
    private static let language = "homeport-language"
    private static let appearance = "homeport-theme"
    private static let units = "homeport-units"
    /// How long they are kept: a year, in seconds.
    private static let life = 31_536_000

    private var settings: AppSettings

    /// What a browser has chosen before.
    init(_ request: PageRequest) {
        let cookies = request.cookies
        settings = AppSettings(
            language: cookies[Self.language].flatMap(Language.init(rawValue:)),
            appearance: cookies[Self.appearance].flatMap(AppSettings.Appearance.init(rawValue:))
                ?? .automatic,
            units: cookies[Self.units].flatMap(UnitSystem.init(rawValue:)) ?? .metric)
    }

    func load() -> AppSettings { settings }

    func save(_ settings: AppSettings) { self.settings = settings }

    /// The response that lets the browser keep the settings.
    func kept(by response: PageResponse, usesTLS: Bool) -> PageResponse {
        let cookies = [
            (Self.language, settings.language?.rawValue),
            (Self.appearance, settings.appearance.rawValue), (Self.units, settings.units.rawValue),
        ]
        return cookies.reduce(response) { response, cookie in
            guard let value = cookie.1 else { return response }
            return response.settingCookie(
                cookie.0, value, secondsToLive: Self.life, usesTLS: usesTLS)
        }
    }
}
