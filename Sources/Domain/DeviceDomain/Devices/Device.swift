/// A device of a home: its profile and its latest reports.
public protocol Device: Sendable, Identifiable where ID == DeviceID {
    /// What the device is.
    var profile: DeviceProfile { get }
    /// Its latest reports.
    var report: DeviceReport { get set }
}

extension Device {
    public var id: DeviceID { profile.id }
    /// The user-defined name; its id if it has none.
    public var name: String { profile.name }
}
