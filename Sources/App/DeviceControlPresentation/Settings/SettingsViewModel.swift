public import Observation
public import SharedPresentation

/// How the app shows things.
public struct AppSettings: Hashable, Sendable {
    /// A language of the app; the raw value is its tag of BCP 47.
    public enum Language: String, Hashable, Sendable, CaseIterable {
        case english = "en"
        case chinese = "zh-Hans"
    }

    /// Light or dark.
    public enum Appearance: String, Hashable, Sendable, CaseIterable {
        /// As the system is set.
        case automatic = "auto"
        case light, dark
    }

    /// The language; `nil` follows the system.
    public var language: Language?
    /// Light or dark.
    public var appearance: Appearance
    /// The units of what devices report.
    public var units: UnitSystem

    public init(
        language: Language? = nil, appearance: Appearance = .automatic, units: UnitSystem = .metric
    ) {
        self.language = language
        self.appearance = appearance
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

    /// Settings that are read now, and kept whenever one is chosen.
    public init(_ repository: any SettingsRepository) {
        self.repository = repository
        settings = repository.load()
    }

    /// A language was chosen; `nil` follows the system.
    public func languageChosen(_ language: AppSettings.Language?) {
        settings.language = language
        repository.save(settings)
    }

    /// Light or dark was chosen.
    public func appearanceChosen(_ appearance: AppSettings.Appearance) {
        settings.appearance = appearance
        repository.save(settings)
    }

    /// Units were chosen.
    public func unitsChosen(_ units: UnitSystem) {
        settings.units = units
        repository.save(settings)
    }
}
