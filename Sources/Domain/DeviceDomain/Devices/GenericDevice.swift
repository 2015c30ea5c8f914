/// A device of an unknown model, which is listed and commanded by its own description.
public struct GenericDevice: Device, Connectable, BatteryPowered, Controllable {
    public let profile: DeviceProfile
    public var report: DeviceReport

    public init(profile: DeviceProfile, report: DeviceReport = DeviceReport()) {
        self.profile = profile
        self.report = report
    }
}
