internal import DeviceDomain
internal import DeviceMessages

/// A message of a Matter server.
enum ServerMessage: Hashable, Sendable {
    /// What the server says of itself; the first message.
    case info(ServerInfo)
    /// A request was answered.
    case answer(to: String, JSONValue)
    /// A request failed.
    case failure(of: String, ServerFailure)
    /// Something happened.
    case event(NodeEvent)
    /// A message that means nothing to the channel.
    case meaningless

    /// How large and how deep a message may be: the answer to `start_listening` has 10–40 kB for a node.
    static let limits = JSONLimits(bytes: 64 << 20, depth: 64)

    /// Reads a message. Whatever is not understood is ``meaningless``.
    init(_ text: [UInt8]) {
        let value = try? JSONReader.read(text, limits: Self.limits, largeIntegers: .digits)
        guard let members = value?.object else {
            self = .meaningless
            return
        }
        if let id = members["message_id"]?.string {
            if let failure = ServerFailure(members) {
                self = .failure(of: id, failure)
            } else if let result = members["result"] {
                self = .answer(to: id, result)
            } else {
                self = .meaningless
            }
        } else if let name = members["event"]?.string {
            self =
                NodeEvent(name, members["data"] ?? .null).map(ServerMessage.event) ?? .meaningless
        } else {
            self = ServerInfo(members).map(ServerMessage.info) ?? .meaningless
        }
    }
}

/// Something that a server reports of its nodes.
enum NodeEvent: Hashable, Sendable {
    /// A node is new, or is described again.
    case node(MatterNode)
    /// A node has left.
    case nodeRemoved(UInt64)
    /// An endpoint of a node has left.
    case endpointRemoved(UInt64, endpoint: Int)
    /// An attribute has a value.
    case attribute(UInt64, AttributePath, JSONValue)
    /// A device has reported an event.
    case device(DeviceEvent)

    /// `nil` for an event that means nothing to the channel.
    init?(_ name: String, _ data: JSONValue) {
        switch name {
        case "node_added", "node_updated":
            guard let node = MatterNode(data) else { return nil }
            self = .node(node)
        case "node_removed":
            guard let node = data.unsignedNumber else { return nil }
            self = .nodeRemoved(node)
        case "endpoint_removed":
            guard let node = data.object?["node_id"]?.unsignedNumber,
                let endpoint = data.object?["endpoint_id"]?.integer
            else { return nil }
            self = .endpointRemoved(node, endpoint: endpoint)
        case "attribute_updated":
            guard let parts = data.array, parts.count == 3, let node = parts[0].unsignedNumber,
                let path = parts[1].string.flatMap({ AttributePath($0) })
            else { return nil }
            self = .attribute(node, path, parts[2].decoded)
        case "node_event":
            guard let event = DeviceEvent(data) else { return nil }
            self = .device(event)
        default: return nil
        }
    }
}

/// An event of a device, such as the press of a button.
struct DeviceEvent: Hashable, Sendable {
    let node: UInt64
    let endpoint: Int
    let cluster: Int
    let event: Int
    /// Rises with every event of the node.
    let number: UInt64?
    let data: JSONValue

    init?(_ value: JSONValue) {
        guard let members = value.object, let node = members["node_id"]?.unsignedNumber,
            let endpoint = members["endpoint_id"]?.integer,
            let cluster = members["cluster_id"]?.integer, let event = members["event_id"]?.integer
        else { return nil }
        self.node = node
        self.endpoint = endpoint
        self.cluster = cluster
        self.event = event
        number = members["event_number"]?.unsignedNumber
        data = members["data"] ?? .null
    }

    /// The attribute whose value the event brings, where devices report it by events: an energy, a contact, an
    /// occupancy.
    var attribute: (AttributePath, JSONValue)? {
        switch (cluster, event) {
        case (Cluster.electricalEnergy, 0):
            if let imported = data.field(0, "energyImported"), !imported.isNull {
                return (AttributePath(endpoint, cluster, 1), imported)
            }
            return data.field(1, "energyExported").map { (AttributePath(endpoint, cluster, 2), $0) }
        case (Cluster.booleanState, 0):
            return data.field(0, "stateValue").map { (AttributePath(endpoint, cluster, 0), $0) }
        case (Cluster.occupancy, 0):
            return data.field(0, "occupancy").map { (AttributePath(endpoint, cluster, 0), $0) }
        default: return nil
        }
    }
}

extension JSONValue {
    /// The value; null for one that the server could not decode.
    var decoded: JSONValue {
        guard let members = object, members.keys.contains("TLVValue") else { return self }
        return .null
    }
}
