import DeviceDomain
import DeviceMessages
import DeviceSimulation
import MQTTClient

/// How a device stands with its broker.
struct DeviceStanding {
    /// How far the device's connection has come.
    enum Link {
        /// No connection; another attempt follows.
        case offline
        /// The broker has accepted; the device subscribes and announces itself.
        case online
        /// No connection; no attempt before a fault of the device is over.
        case held
        /// No connection: a scenario has not let it come yet, or has let it go.
        case absent
        /// There will be no other attempt.
        case abandoned
        /// Closed at the end of the run.
        case closed
    }

    /// What the broker must confirm before a device counts as ready.
    struct Announcement: OptionSet {
        let rawValue: UInt8

        static let subscriptions = Announcement(rawValue: 1)
        static let description = Announcement(rawValue: 2)
        static let presence = Announcement(rawValue: 4)
        static let state = Announcement(rawValue: 8)
        static let whole: Announcement = [.subscriptions, .description, .presence, .state]
    }

    var link = Link.offline
    /// What the broker has confirmed since the last CONNACK.
    var announced: Announcement = []
    /// Counts the connections, so that a late completion finds its own or none.
    var epoch = 0
    /// Counts the connections of the device's present boot.
    var sessions = 0
    /// Whether the broker has ever confirmed the device's description.
    var isDescribed = false
    /// Connection losses that suggest another client with the same client id.
    var suspicions = 0

    /// Whether the device is connected and the broker has its three retained topics.
    var isReady: Bool { link == .online && announced == .whole }
}

/// A device of a shard with its connection.
struct DeviceSlot {
    let wire: DeviceWire
    /// The kind of the device, as metrics name it.
    let kind: String
    var connection: MQTTConnection?
    /// The network to its broker, once a fault has changed it.
    var link: ShapedLink?
    /// Who else uses its id because of a fault.
    var intruder = Intruder.none

    /// Creates the slot of a device that has no connection yet.
    init(_ device: SimulatedDevice) {
        self.init(
            DeviceWire(home: device.identity.home, device: device.identity.device),
            kind: device.description.kind.rawValue)
    }

    /// Creates the slot of a device of a kind.
    init(_ wire: DeviceWire, kind: String) {
        self.wire = wire
        self.kind = kind
    }

    /// Its name across homes.
    var key: DeviceKey { DeviceKey(home: wire.home, device: wire.device) }
}

extension DevicePublication {
    /// The part of the announcement that is done when this publication is confirmed.
    var announcement: DeviceStanding.Announcement {
        switch self {
        case .description: .description
        case .presence: .presence
        case .state: .state
        case .altered(let message, _): message.announcement
        case .telemetry, .event, .ack: []
        }
    }

    /// The kind of its topic, as metrics name it.
    var topicKind: String {
        switch self {
        case .description: "description"
        case .presence: "presence"
        case .state: "state"
        case .telemetry: "telemetry"
        case .event: "event"
        case .ack: "ack"
        case .altered(let message, _): message.topicKind
        }
    }
}
