internal import DeviceDomain

/// A node as the server describes it.
struct MatterNode: Hashable, Sendable {
    /// Its number in the fabric.
    let id: UInt64
    /// Whether the server reaches it.
    let isAvailable: Bool
    /// Whether it stands for devices of another network.
    let isBridge: Bool
    /// Its attributes; null is a value that is not known.
    private(set) var attributes: [AttributePath: JSONValue]
    /// Its endpoints with their types, in the order of their numbers.
    private(set) var endpoints: [NodeEndpoint]

    /// `nil` unless the value is a node with its attributes.
    init?(_ value: JSONValue) {
        guard let members = value.object, let id = members["node_id"]?.unsignedNumber,
            let given = members["attributes"]?.object
        else { return nil }
        self.id = id
        isAvailable = members["available"]?.boolean ?? false
        attributes = Dictionary(minimumCapacity: given.count)
        for (text, value) in given {
            if let path = AttributePath(text) { attributes[path] = value.decoded }
        }
        endpoints = NodeEndpoint.all(in: attributes)
        isBridge =
            members["is_bridge"]?.boolean == true
            || endpoints.contains { $0.types.contains(.aggregator) }
    }

    /// The same node, its endpoints read from its attributes again.
    init(_ former: MatterNode) {
        self = former
        endpoints = NodeEndpoint.all(in: attributes)
    }

    /// The value of an attribute; `nil` for one that the node does not have, or does not tell.
    func value(_ endpoint: Int, _ cluster: Int, _ attribute: Int) -> JSONValue? {
        let value = attributes[AttributePath(endpoint, cluster, attribute)]
        return value == .some(.null) ? nil : value
    }

    /// Whether the node has an attribute, be its value known or not.
    func has(_ endpoint: Int, _ cluster: Int, _ attribute: Int) -> Bool {
        attributes[AttributePath(endpoint, cluster, attribute)] != nil
    }

    /// Takes in the value of an attribute.
    /// - Returns: whether it is another one than before.
    mutating func update(_ path: AttributePath, _ value: JSONValue) -> Bool {
        attributes.updateValue(value, forKey: path) != value
    }

    /// An endpoint has left.
    mutating func remove(endpoint: Int) {
        attributes = attributes.filter { $0.key.endpoint != endpoint }
        endpoints.removeAll { $0.number == endpoint }
    }
}

/// An endpoint of a node.
struct NodeEndpoint: Hashable, Sendable {
    let number: Int
    /// What it is, in the order of its descriptor.
    let types: [DeviceType]
    /// The endpoints that belong to it.
    let parts: [Int]
    /// The clusters that it has attributes of.
    let clusters: Set<Int>

    static func all(in attributes: [AttributePath: JSONValue]) -> [NodeEndpoint] {
        var clusters: [Int: Set<Int>] = [:]
        for path in attributes.keys { clusters[path.endpoint, default: []].insert(path.cluster) }
        return clusters.sorted { $0.key < $1.key }.map { number, clusters in
            let types = attributes[AttributePath(number, Cluster.descriptor, 0)]?.array ?? []
            let parts = attributes[AttributePath(number, Cluster.descriptor, 3)]?.array ?? []
            return NodeEndpoint(
                number: number,
                types: types.compactMap {
                    $0.field(0, "deviceType")?.integer.map(DeviceType.init(rawValue:))
                },
                parts: parts.compactMap(\.integer), clusters: clusters)
        }
    }

    /// The clusters that it is controlled by.
    var controls: Set<Int> {
        types.reduce(into: Set<Int>()) { $0.formUnion($1.controls) }.intersection(clusters)
    }
}
