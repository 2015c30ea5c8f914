internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// The nodes of a server and the devices that they are. A value type: what the server says goes in, observations come
/// out.
struct NodeModel: Sendable {
    /// What is known of a device.
    private struct Entry {
        var device: MatterDevice
        var isReachable: Bool
        var state: JSONObject
    }

    private let channel: ChannelID
    private let home: HomeID
    private var nodes: [UInt64: MatterNode] = [:]
    private var entries: [DeviceID: Entry] = [:]
    private var members: [UInt64: [DeviceID]] = [:]
    /// The number of the newest event of each node; older ones were repeated.
    private var newestEvents: [UInt64: UInt64] = [:]
    /// Whether the server has listed its nodes on this connection.
    private(set) var isListed = false

    init(channel: ChannelID, home: HomeID) {
        self.channel = channel
        self.home = home
    }

    /// Every device by its id.
    var devices: [DeviceID: MatterDevice] { entries.mapValues(\.device) }

    /// Whether a device can be reached; `nil` for an unknown one, and without a connection.
    func isReachable(_ device: DeviceID) -> Bool? {
        isListed ? entries[device]?.isReachable : nil
    }

    /// The nodes of the list.
    var allNodes: [MatterNode] { nodes.keys.sorted().compactMap { nodes[$0] } }

    /// A device of the list.
    func device(_ id: DeviceID) -> MatterDevice? { entries[id]?.device }

    // MARK: The list

    /// Takes in all nodes of a server: those that are missing have left. What cannot be read is left out.
    mutating func list(_ values: [JSONValue]) -> [DeviceUpdate] {
        let listed = values.compactMap(MatterNode.init)
        let numbers = Set(listed.map(\.id))
        var updates: [DeviceUpdate] = []
        for number in nodes.keys.sorted() where !numbers.contains(number) {
            updates += remove(number)
        }
        // Presences were in doubt without a connection.
        isListed = true
        for node in listed { updates += describe(node, repeatsPresence: true) }
        return updates
    }

    /// Takes in a node that is new or was described again.
    mutating func describe(
        _ node: MatterNode, repeatsPresence: Bool = false
    ) -> [DeviceUpdate] {
        nodes[node.id] = node
        let devices = MatterDevice.all(of: node, on: channel, in: home)
        let ids = devices.map(\.id)
        var updates: [DeviceUpdate] = []
        for former in members[node.id] ?? [] where !ids.contains(former) {
            entries[former] = nil
            updates.append(DeviceUpdate(device: former, content: .removed))
        }
        members[node.id] = ids
        for device in devices {
            let former = entries[device.id]
            if former?.device.profile != device.profile {
                updates.append(
                    DeviceUpdate(device: device.id, content: .description(device.profile)))
            }
            entries[device.id] = Entry(
                device: device,
                isReachable: repeatsPresence
                    ? !device.isReachable(in: node)
                    : former?.isReachable ?? !device.isReachable(in: node),
                state: former?.state ?? [:])
            updates += refresh(device.id, node)
        }
        return updates
    }

    /// A node has left.
    mutating func remove(_ node: UInt64) -> [DeviceUpdate] {
        nodes[node] = nil
        newestEvents[node] = nil
        return (members.removeValue(forKey: node) ?? []).map { id in
            entries[id] = nil
            return DeviceUpdate(device: id, content: .removed)
        }
    }

    /// An endpoint of a node has left.
    mutating func remove(endpoint: Int, of number: UInt64) -> [DeviceUpdate] {
        guard var node = nodes[number] else { return [] }
        node.remove(endpoint: endpoint)
        return describe(node)
    }

    /// The connection is lost: nobody knows which devices can be reached.
    mutating func linkLost() -> [DeviceUpdate] {
        guard isListed else { return [] }
        isListed = false
        return entries.keys.sorted().map { DeviceUpdate(device: $0, content: .cleared(.presence)) }
    }

    // MARK: Reports

    /// A node has reported the value of an attribute, or it was read.
    mutating func update(
        _ number: UInt64, _ path: AttributePath, _ value: JSONValue
    ) -> [DeviceUpdate] {
        guard var node = nodes.removeValue(forKey: number) else { return [] }
        let isKnown = node.attributes[path] != nil
        let isNew = node.update(path, value)
        nodes[number] = node
        guard isNew else { return [] }
        if path.isDescriptive || !isKnown { return describe(MatterNode(node)) }
        let owners = (members[number] ?? []).filter {
            entries[$0]?.device.contains(path) == true
        }
        return owners.flatMap { refresh($0, node) }
    }

    /// A device has reported an event. Some are the only report of a value.
    mutating func happened(_ event: DeviceEvent) -> [DeviceUpdate] {
        if let number = event.number {
            if let newest = newestEvents[event.node], number <= newest { return [] }
            newestEvents[event.node] = number
        }
        guard let node = nodes[event.node] else { return [] }
        if let (path, value) = event.attribute { return update(node.id, path, value) }
        guard let name = event.name else { return [] }
        let detail = event.data.object ?? [:]
        let owners = (members[node.id] ?? []).filter {
            entries[$0]?.device.contains(AttributePath(event.endpoint, 0, 0)) == true
        }
        return owners.map {
            DeviceUpdate(
                device: $0,
                content: .event(
                    EventReport(
                        name,
                        detail: detail.merging(["endpoint": .integer(event.endpoint)]) { own, _ in
                            own
                        })))
        }
    }

    /// Reports what has changed of a device.
    private mutating func refresh(_ id: DeviceID, _ node: MatterNode) -> [DeviceUpdate] {
        guard let entry = entries[id] else { return [] }
        var updates: [DeviceUpdate] = []
        let isReachable = entry.device.isReachable(in: node)
        if isReachable != entry.isReachable {
            entries[id]?.isReachable = isReachable
            updates.append(Self.presence(id, isReachable))
        }
        let state = DeviceValues(entry.device.place, entry.device.profile.kind, in: node).members
        if state != entry.state {
            entries[id]?.state = state
            updates.append(DeviceUpdate(device: id, content: .state(StateReport(state))))
        }
        return updates
    }

    private static func presence(_ id: DeviceID, _ isReachable: Bool) -> DeviceUpdate {
        DeviceUpdate(
            device: id, content: .presence(Presence(isReachable ? .online : .offline)))
    }

    // MARK: New observers

    /// Everything that is known of a part of the home, as updates for a new observer.
    func snapshot(of scope: HomeScope) -> [DeviceUpdate] {
        entries.keys.sorted().filter(scope.contains).flatMap { id -> [DeviceUpdate] in
            guard let entry = entries[id] else { return [] }
            var contents: [DeviceObservation.Content] = [.description(entry.device.profile)]
            if isListed {
                contents.append(.presence(Presence(entry.isReachable ? .online : .offline)))
            }
            if !entry.state.isEmpty { contents.append(.state(StateReport(entry.state))) }
            return contents.map { DeviceUpdate(device: id, content: $0) }
        }
    }

    /// The known values of all attributes that outstanding commands may wait for.
    func value(_ node: UInt64, _ path: AttributePath) -> JSONValue? {
        nodes[node]?.attributes[path]
    }
}

extension AttributePath {
    /// Whether the attribute says what a device is: its types, names and limits, or the modes and areas that it offers;
    /// or what its commands depend on.
    var isDescriptive: Bool {
        switch (cluster, attribute) {
        case (Cluster.descriptor, _), (Cluster.basicInformation, _): true
        case (Cluster.bridgedInformation, let attribute): attribute != 17
        case (_, Cluster.featureMap), (_, Cluster.acceptedCommands): true
        case (Cluster.rvcRunMode, 0), (Cluster.rvcCleanMode, 0), (Cluster.serviceArea, 0): true
        // Whether a robot is told to clean everywhere depends on its mode and on the areas that it has selected.
        case (Cluster.rvcRunMode, 1), (Cluster.serviceArea, 2): true
        case (Cluster.level, 2), (Cluster.level, 3), (Cluster.color, 16394...16396): true
        case (Cluster.thermostat, 3...6), (Cluster.thermostat, 21...27): true
        case (Cluster.doorLock, 51), (Cluster.evse, 5), (Cluster.evse, 6), (Cluster.evse, 9): true
        default: false
        }
    }
}

extension DeviceEvent {
    /// The name of an event that people may want to know of.
    fileprivate var name: EventName? {
        switch (cluster, event) {
        case (Cluster.switch, 0): .literal("switch-latched")
        case (Cluster.switch, 1): .literal("press")
        case (Cluster.switch, 2): .literal("long-press")
        case (Cluster.switch, 3): .literal("release")
        case (Cluster.switch, 4): .literal("long-release")
        case (Cluster.switch, 6): .literal("multi-press")
        case (Cluster.rvcOperationalState, 0): .literal("operational-error")
        case (Cluster.rvcOperationalState, 1): .literal("operation-completed")
        default: nil
        }
    }
}
