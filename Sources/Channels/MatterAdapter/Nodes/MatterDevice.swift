internal import Connectivity
internal import DeviceDomain

/// A device of a home: a node, or one of the devices behind a bridge.
struct MatterDevice: Hashable, Sendable {
    /// Where a device is in its node.
    struct Place: Hashable, Sendable {
        let node: UInt64
        /// The endpoint of a bridged device that describes it; `nil` for a node of its own.
        let bridged: Int?
        /// All its endpoints, the describing one first.
        let endpoints: [NodeEndpoint]
    }

    let place: Place
    let profile: DeviceProfile
    let commands: DeviceCommands

    var id: DeviceID { profile.id }

    /// The devices of a node. Those whose id has more than 63 characters are left out.
    static func all(of node: MatterNode, on channel: ChannelID, in home: HomeID) -> [MatterDevice] {
        places(in: node).compactMap { MatterDevice(node, $0, channel, home) }
    }

    private static func places(in node: MatterNode) -> [Place] {
        guard node.isBridge else {
            return [Place(node: node.id, bridged: nil, endpoints: node.endpoints)]
        }
        var rest = node.endpoints
        var places: [Place] = []
        for endpoint in node.endpoints where endpoint.types.contains(.bridgedNode) {
            let parts = node.endpoints.filter {
                endpoint.parts.contains($0.number) && !$0.types.contains(.bridgedNode)
                    && $0.number != endpoint.number
            }
            let own = [endpoint] + parts
            rest.removeAll { part in own.contains { $0.number == part.number } }
            places.append(Place(node: node.id, bridged: endpoint.number, endpoints: own))
        }
        return [Place(node: node.id, bridged: nil, endpoints: rest)] + places
    }

    private init?(_ node: MatterNode, _ place: Place, _ channel: ChannelID, _ home: HomeID) {
        let suffix = place.bridged.map { "-\($0)" } ?? ""
        guard let id = DeviceID(rawValue: "\(channel)-\(node.id)\(suffix)") else { return nil }
        self.place = place
        commands = DeviceCommands(of: place, in: node)
        let label = Label(of: place, in: node)
        let kind = Self.kind(of: place, in: node)
        let members = DeviceValues(place, kind, in: node).members
        profile = DeviceProfile(
            id: id, home: home, kind: kind, model: DeviceModel(rawValue: label.model),
            name: label.name, firmware: label.firmware,
            capabilities: Self.capabilities(commands, members),
            commands: commands.all.map(\.specification), stateMembers: Set(members.keys),
            serial: label.serial)
    }

    private static func kind(of place: Place, in node: MatterNode) -> DeviceKind {
        let known = place.endpoints.lazy.flatMap(\.types).compactMap(\.kind).first
        // A bridge may have others below it.
        let isBridge =
            place.bridged == nil
            ? node.isBridge : place.endpoints.contains { $0.types.contains(.aggregator) }
        return known ?? (isBridge ? .matterBridge : .matterDevice)
    }

    private static func capabilities(
        _ commands: DeviceCommands, _ members: JSONObject
    ) -> Set<Capability> {
        var capabilities: Set<Capability> = [.connectable]
        if members[Signal.batteryPercent.rawValue] != nil { capabilities.insert(.batteryPowered) }
        if !commands.all.isEmpty { capabilities.insert(.controllable) }
        return capabilities
    }

    /// Whether the device can be reached: the server reaches the node, and the bridge the device.
    func isReachable(in node: MatterNode) -> Bool {
        guard node.isAvailable else { return false }
        guard let bridged = place.bridged else { return true }
        return node.value(bridged, Cluster.bridgedInformation, 17)?.boolean ?? true
    }

    /// Whether an attribute belongs to the device.
    func contains(_ path: AttributePath) -> Bool {
        place.endpoints.contains { $0.number == path.endpoint }
    }
}

/// What a device is called by itself and its user.
private struct Label {
    let name: String
    let model: String
    let firmware: String
    let serial: String?

    /// The basic information of the node and that of a bridged device have the same attributes.
    init(of place: MatterDevice.Place, in node: MatterNode) {
        let endpoint = place.bridged ?? 0
        let cluster =
            place.bridged == nil ? Cluster.basicInformation : Cluster.bridgedInformation
        func text(_ attribute: Int) -> String? {
            node.value(endpoint, cluster, attribute)?.string.flatMap { text in
                text.allSatisfy(\.isWhitespace) ? nil : text
            }
        }
        let product = text(3)
        model = product ?? text(1) ?? "unknown"
        name =
            text(5) ?? product
            ?? (place.bridged.map { "Matter \(node.id)-\($0)" } ?? "Matter \(node.id)")
        firmware = text(10) ?? ""
        serial = text(15).flatMap { Self.isMasked($0) ? nil : $0 }
    }

    /// Whether a serial number tells nothing: stars in place of characters, or one character again and again.
    private static func isMasked(_ serial: String) -> Bool {
        let characters = Set<Character>(serial.filter { $0.isLetter || $0.isNumber })
        return characters.count < 2 || serial.contains("*")
    }
}
