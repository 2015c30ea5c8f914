public import DeviceDomain
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
        let devices = memory.allDevices.map(\.summary)
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
