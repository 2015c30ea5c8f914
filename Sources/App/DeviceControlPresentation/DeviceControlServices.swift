public import DeviceControl
public import DeviceDomain
public import SharedPresentation

/// What watching and commanding devices needs from outside.
public struct DeviceControlServices: Sendable {
    /// What is known of the home.
    public let memory: HomeMemory
    /// Finds what is wrong with the set-up.
    public let doctor: any DoctorService
    /// Keeps how the app shows things.
    public let settings: any SettingsRepository
    /// Shows the time.
    public let clock: any CommandClock
    /// Says when schedules are due.
    public let calendar: LocalCalendar
    /// What energy costs; `nil` where nobody has said it.
    public let tariff: EnergyTariff?

    public init(
        memory: HomeMemory, doctor: any DoctorService, settings: any SettingsRepository,
        clock: any CommandClock, calendar: LocalCalendar, tariff: EnergyTariff? = nil
    ) {
        self.memory = memory
        self.doctor = doctor
        self.settings = settings
        self.clock = clock
        self.calendar = calendar
        self.tariff = tariff
    }
}
