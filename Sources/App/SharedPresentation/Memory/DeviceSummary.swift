internal import Connectivity
public import DeviceDomain
public import HomeModel

/// What a list shows of a device. It changes only when something that is shown does: most samples of a
/// thousand devices then cost a list nothing.
public struct DeviceSummary: Hashable, Sendable, Identifiable {
    /// Names the device.
    public let id: DeviceID
    /// What it is called: by the user, else by itself; its id where it has no name.
    public let name: String
    /// The room that the user has put it into; `nil` for none.
    public let room: String?
    /// Its kind; `nil` if it has not said.
    public let kind: DeviceKind?
    /// Whether it can be reached.
    public let presence: DevicePresence
    /// Whether it is known from an earlier run only.
    public let isRemembered: Bool
    /// When that run received its last message (wire clock); `nil` where that is not known, and for a
    /// device that was heard since.
    public let rememberedSince: Timestamp?
    /// When its last message came (wire clock), where it cannot be reached now: what is shown of it is as
    /// old as that. `nil` for a device that is online, or was not heard in this run.
    public let heardLast: Timestamp?
    /// Its model; `nil` if it has not said.
    public let model: DeviceModel?
    /// Its battery, to the percent and to ten watts; `nil` where it has none.
    public let battery: BatteryContent?
    /// What it does, in its own word; `nil` if it has not said.
    public let activity: String?
    /// The one or two commands that fit its state.
    public let fitting: [FittingCommand]
    /// What a person should look at.
    public let attention: [Attention.Reason]

    init(_ device: KnownDevice) {
        id = device.id
        name = device.name
        room = device.label.room?.text
        kind = device.profile?.kind
        presence = DevicePresence(device)
        (isRemembered, rememberedSince) =
            switch Freshness(device) {
            case .remembered(let since): (true, since)
            case .live, .stale: (false, nil)
            }
        heardLast = presence == .online ? nil : device.heardAt
        model = device.profile?.model
        battery = BatteryContent(device)?.rounded
        activity = device.activity
        fitting = FittingCommand.all(for: device)
        attention = Attention.reasons(device)
    }
}

/// A battery.
public struct BatteryContent: Hashable, Sendable {
    /// How full it is, in percent; `nil` if it has not said.
    public let chargePercent: Double?
    /// Whether it says that it charges.
    public let isCharging: Bool
    /// The power into it, in W, negative out of it; `nil` where it does not measure that.
    public let powerW: Double?

    /// The battery of a device; `nil` where it has none.
    public init?(_ device: KnownDevice) {
        let percent = device.chargePercent
        let hasOne = device.profile?.capabilities.contains(.batteryPowered) == true
        guard hasOne || percent != nil else { return nil }
        self.init(
            chargePercent: percent, isCharging: device.isCharging,
            powerW: device.telemetry?.values[.batteryPowerW]?.number)
    }

    private init(chargePercent: Double?, isCharging: Bool, powerW: Double?) {
        self.chargePercent = chargePercent
        self.isCharging = isCharging
        self.powerW = powerW
    }

    /// The same to the percent and to ten watts.
    fileprivate var rounded: BatteryContent {
        BatteryContent(
            chargePercent: chargePercent?.rounded(), isCharging: isCharging,
            powerW: powerW.map { ($0 / 10).rounded() * 10 })
    }
}
