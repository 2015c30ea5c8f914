public import DeviceDomain
public import SharedPresentation

/// What is shown of a home.
public struct HomeContent: Hashable, Sendable {
    /// Devices that stand together.
    public struct Group: Hashable, Sendable {
        /// What they have in common.
        public enum Heading: Hashable, Sendable {
            /// The room that the user has put them into.
            case room(String)
            /// Their kind; `nil` for devices that have not said what they are.
            case kind(DeviceKind?)
            /// The user has rooms, and has put them into none.
            case noRoom
        }

        /// What they have in common.
        public let heading: Heading
        /// The devices in the order of their names.
        public let devices: [DeviceSummary]
    }

    /// The devices by room where the user has made rooms, else by kind. Rooms and kinds are in the order of their
    /// names; devices in no room, or of no known kind, come last.
    public let groups: [Group]
    /// What a person should look at, the worst first.
    public let attention: [Attention]

    @MainActor
    init(_ memory: HomeMemory) {
        let devices = memory.allDevices.map(\.summary)
        groups =
            memory.rooms.isEmpty
            ? Self.byKind(devices) : Self.byRoom(devices, memory.rooms.map(\.text))
        attention = Attention.all(in: memory)
    }

    private static func byKind(_ devices: [DeviceSummary]) -> [Group] {
        Dictionary(grouping: devices, by: \.kind)
            .sorted {
                ($0.key == nil ? 1 : 0, $0.key?.rawValue ?? "")
                    < ($1.key == nil ? 1 : 0, $1.key?.rawValue ?? "")
            }
            .map { Group(heading: .kind($0.key), devices: $0.value.byName) }
    }

    private static func byRoom(_ devices: [DeviceSummary], _ rooms: [String]) -> [Group] {
        let inRooms = Dictionary(grouping: devices) { device in
            device.room.flatMap { rooms.contains($0) ? $0 : nil }
        }
        let groups = rooms.map { Group(heading: .room($0), devices: inRooms[$0]?.byName ?? []) }
        guard let others = inRooms[nil] else { return groups }
        return groups + [Group(heading: .noRoom, devices: others.byName)]
    }
}

extension [DeviceSummary] {
    fileprivate var byName: [DeviceSummary] { sorted { ($0.name, $0.id) < ($1.name, $1.id) } }
}
