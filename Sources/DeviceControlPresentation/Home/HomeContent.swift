public import DeviceDomain
internal import HomeModel
public import SharedPresentation

/// What is shown of a home.
public struct HomeContent: Hashable, Sendable {
    /// The devices of one kind.
    public struct Group: Hashable, Sendable {
        /// The kind; `nil` for devices that have not said what they are.
        public let kind: DeviceKind?
        /// The devices in the order of their names.
        public let devices: [DeviceSummary]
    }

    /// The devices by kind: kinds in the order of their names, devices of no known kind last.
    public let groups: [Group]
    /// What a person should look at, the worst first.
    public let attention: [Attention]

    @MainActor
    init(_ memory: HomeMemory) {
        let devices = memory.allDevices.map(DeviceSummary.init)
        groups = Dictionary(grouping: devices, by: \.kind).map { kind, devices in
            Group(kind: kind, devices: devices.sorted { ($0.name, $0.id) < ($1.name, $1.id) })
        }
        .sorted { ($0.kind == nil ? 1 : 0, $0.order) < ($1.kind == nil ? 1 : 0, $1.order) }
        attention = Attention.all(in: memory)
    }
}

extension HomeContent.Group {
    fileprivate var order: String { kind?.rawValue ?? "" }
}

/// One device in a list.
public struct DeviceSummary: Hashable, Sendable, Identifiable {
    /// Names the device.
    public let id: DeviceID
    /// What it is called.
    public let name: String
    /// Its kind; `nil` if it has not said.
    public let kind: DeviceKind?
    /// Whether it can be reached.
    public let presence: DevicePresence
    /// How old what is shown is.
    public let freshness: Freshness
    /// Its model; `nil` if it has not said.
    public let model: DeviceModel?
    /// Its battery; `nil` where it has none.
    public let battery: BatteryContent?
    /// What it does, in its own word; `nil` if it has not said.
    public let activity: String?

    @MainActor
    init(_ device: DeviceMemory) {
        id = device.id
        name = device.name
        kind = device.known.profile?.kind
        presence = device.presence
        freshness = device.freshness
        model = device.known.profile?.model
        battery = BatteryContent(device)
        activity = device.known.activity
    }
}
