internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages

/// What became of a request about new devices.
package enum CommissioningAnswer: Hashable, Sendable {
    /// It was carried out; the node that the answer describes, for a commissioning.
    case done(CommissionedNode?)
    /// The devices that can be commissioned, by their discriminators of 12 bits.
    case discovered([Int])
    /// It failed, with the server's number and words.
    case failed(code: Int, details: String)
    /// The connection was lost before the answer came: it may have been carried out.
    case lost

    /// Reads the result of a request.
    init(_ result: JSONValue, to request: CommissioningRequest) {
        guard case .discover = request else {
            self = .done(MatterNode(result).map(CommissionedNode.init))
            return
        }
        let devices = result.array ?? []
        self = .discovered(
            devices.compactMap { device in
                // matterjs-server has the name that it uses itself.
                (device.object?["long_discriminator"] ?? device.object?["longDiscriminator"])?
                    .integer
            })
    }
}

/// A node of the fabric, as far as commissioning needs it.
package struct CommissionedNode: Hashable, Sendable {
    /// Its number.
    package let id: UInt64
    /// The number of its maker; `nil` where it does not tell.
    package let vendor: Int?
    /// The maker's number of the product; `nil` where it does not tell.
    package let product: Int?
    /// Whether the server reaches it.
    package let isReachable: Bool

    package init(id: UInt64, vendor: Int? = nil, product: Int? = nil, isReachable: Bool = true) {
        self.id = id
        self.vendor = vendor
        self.product = product
        self.isReachable = isReachable
    }

    init(_ node: MatterNode) {
        self.init(
            id: node.id, vendor: node.value(0, Cluster.basicInformation, 2)?.integer,
            product: node.value(0, Cluster.basicInformation, 4)?.integer,
            isReachable: node.isAvailable)
    }
}

/// How a server brings new devices in.
package struct CommissioningMeans: Hashable, Sendable {
    /// Whether it has a Bluetooth radio, by which it reaches devices that are in no network yet.
    package let hasBluetooth: Bool
    /// Whether it knows a Wi-Fi network for new devices.
    package let hasWiFi: Bool
    /// Whether it knows a Thread network for new devices.
    package let hasThread: Bool

    package init(hasBluetooth: Bool, hasWiFi: Bool, hasThread: Bool) {
        self.hasBluetooth = hasBluetooth
        self.hasWiFi = hasWiFi
        self.hasThread = hasThread
    }
}
