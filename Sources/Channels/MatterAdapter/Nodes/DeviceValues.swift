internal import DeviceDomain

/// The state of a device in the units of people, from the attributes of its node. A member whose attribute the node
/// does not have is absent; one whose value is not known is null.
struct DeviceValues {
    let place: MatterDevice.Place
    let kind: DeviceKind
    let node: MatterNode

    init(_ place: MatterDevice.Place, _ kind: DeviceKind, in node: MatterNode) {
        self.place = place
        self.kind = kind
        self.node = node
    }

    /// The members. What a second endpoint has too ends with the number of that endpoint.
    var members: JSONObject {
        var members: JSONObject = [:]
        for endpoint in place.endpoints {
            var reader = EndpointValues(node: node, endpoint: endpoint)
            reader.readAll()
            for (name, value) in reader.members {
                let isTaken = members.keys.contains(name)
                members[isTaken ? "\(name)_\(endpoint.number)" : name] = value
            }
        }
        if kind == .energyStore {
            members[Signal.stateOfChargePercent.rawValue] = members[Signal.batteryPercent.rawValue]
            members[Signal.batteryPowerW.rawValue] = members["power"]
        }
        return members
    }
}

/// The values of one endpoint.
struct EndpointValues {
    let node: MatterNode
    let endpoint: NodeEndpoint
    private(set) var members: JSONObject = [:]

    init(node: MatterNode, endpoint: NodeEndpoint) {
        self.node = node
        self.endpoint = endpoint
    }

    /// The value of an attribute; `nil` where it is not known.
    func value(_ cluster: Int, _ attribute: Int) -> JSONValue? {
        node.value(endpoint.number, cluster, attribute)
    }

    /// Adds a member, if the endpoint has the attribute; null where `convert` can make nothing of its value.
    mutating func put(
        _ name: String, _ cluster: Int, _ attribute: Int,
        _ convert: (JSONValue) -> JSONValue?
    ) {
        guard node.has(endpoint.number, cluster, attribute) else { return }
        members[name] = value(cluster, attribute).flatMap(convert) ?? .null
    }

    /// Adds a number: the attribute times a factor, rounded to thousandths of the unit and finer for small factors.
    mutating func put(_ name: String, _ cluster: Int, _ attribute: Int, times factor: Double) {
        put(name, cluster, attribute) { $0.scaled(by: factor) }
    }

    /// Adds a member that does not come from one attribute alone.
    mutating func set(_ name: String, _ value: JSONValue) { members[name] = value }

    /// Reads what the endpoint has.
    mutating func readAll() {
        let controls = endpoint.controls
        for cluster in endpoint.clusters.sorted() {
            if DeviceType.allControls.contains(cluster) {
                if controls.contains(cluster) { readControl(cluster) }
            } else {
                readMeasurement(cluster)
            }
        }
    }
}

extension DeviceType {
    /// Every cluster that some type is controlled by.
    static let allControls: Set<Int> = [
        Cluster.onOff, Cluster.level, Cluster.color, Cluster.doorLock, Cluster.windowCovering,
        Cluster.thermostat, Cluster.fanControl, Cluster.identify, Cluster.rvcRunMode,
        Cluster.rvcCleanMode, Cluster.rvcOperationalState, Cluster.serviceArea, Cluster.evse,
    ]
}

extension JSONValue {
    /// The number times a factor, without the noise of binary fractions.
    func scaled(by factor: Double) -> JSONValue? {
        guard let number else { return nil }
        let scaled = number * factor
        guard scaled.magnitude < 1e12 else { return .number(scaled) }
        return .number((scaled * 1e6).rounded() / 1e6)
    }

    /// The name of a number in a list, counted from 0.
    func named(_ names: [String]) -> JSONValue? {
        guard let index = integer, names.indices.contains(index), !names[index].isEmpty else {
            return nil
        }
        return .string(names[index])
    }
}
