public import Observation

/// How the app shows things.
public struct AppSettings: Hashable, Sendable {
    /// A language of the app; the raw value is its tag of BCP 47.
    public enum Language: String, Hashable, Sendable, CaseIterable {
        case english = "en"
        case chinese = "zh-CN"
    }

    /// The units of temperatures and lengths.
    public enum Units: String, Hashable, Sendable, CaseIterable {
        /// Degrees Celsius and metres.
        case metric
        /// Degrees Fahrenheit and feet.
        case imperial
    }

    /// The language; `nil` follows the system.
    public var language: Language?
    /// The units.
    public var units: Units

    public init(language: Language? = nil, units: Units = .metric) {
        self.language = language
        self.units = units
    }
}

/// Keeps how the app shows things, from one start to the next.
@MainActor
public protocol SettingsRepository: AnyObject, Sendable {
    /// What is kept; the defaults where nothing is.
    func load() -> AppSettings
    /// Keeps new settings.
    func save(_ settings: AppSettings)
}

/// The settings of the app.
@MainActor @Observable
public final class SettingsViewModel {
    /// The settings as they are now.
    public private(set) var settings: AppSettings
    @ObservationIgnored private let repository: any SettingsRepository

    init(_ repository: any SettingsRepository) {
        self.repository = repository
        settings = repository.load()
    }

    /// A language was chosen; `nil` follows the system.
    public func languageChosen(_ language: AppSettings.Language?) {
        settings.language = language
        repository.save(settings)
    }

    /// Units were chosen.
    public func unitsChosen(_ units: AppSettings.Units) {
        settings.units = units
        repository.save(settings)
    }
}
