public import DeviceControlPresentation

/// Settings that are kept for as long as the app runs.
@MainActor
public final class InMemorySettings: SettingsRepository {
    private var settings: AppSettings

    public init(_ settings: AppSettings = AppSettings()) { self.settings = settings }

    public func load() -> AppSettings { settings }

    public func save(_ settings: AppSettings) { self.settings = settings }
}
