/// A device of a home: what it is, and what it last reported.
public protocol Device: Sendable, Identifiable where ID == DeviceID {
    /// What the device is.
    var profile: DeviceProfile { get }
    /// What it last reported of itself.
    var report: DeviceReport { get set }
}

extension Device {
    public var id: DeviceID { profile.id }
    /// The name that people gave it; its id where it has none.
    public var name: String { profile.name }
}
