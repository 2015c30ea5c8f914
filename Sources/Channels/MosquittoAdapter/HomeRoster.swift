internal import Connectivity
internal import DeviceDomain
internal import MQTTLink

/// The retained topics of a device.
struct RetainedParts: OptionSet, Sendable {
    let rawValue: UInt8

    static let description = RetainedParts(rawValue: 1)
    static let presence = RetainedParts(rawValue: 2)
    static let state = RetainedParts(rawValue: 4)
    static let all: RetainedParts = [.description, .presence, .state]

    /// Empty for a part that is not retained.
    init(_ part: DevicePart) {
        switch part {
        case .description: self = .description
        case .presence: self = .presence
        case .state: self = .state
        case .telemetry, .event, .ack: self = []
        }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// The devices of a home that have sent something on the present connection, which of their retained
/// parts were received, and the subscriptions to these parts.
struct HomeRoster: Sendable {
    /// For more devices than this, a broker may drop a part of what it replays to a wildcard (PROTOCOL
    /// section 1).
    static let replayLimit = 500

    /// How many observers observe the whole home.
    private(set) var wholeObservers = 0
    /// The parts received from each device on the present connection.
    private(set) var received: [DeviceID: RetainedParts] = [:]
    /// The devices whose presence the broker has replayed on the present connection.
    private(set) var replayed: Set<DeviceID> = []
    /// The subscriptions to description and state of single devices.
    private var subscriptions: [DeviceID: MQTTLinkSubscription] = [:]
    private var wasConnectionLost = false
    /// The subscription to description and state of every device, used while the home is small.
    private(set) var wildcards: MQTTLinkSubscription?

    /// An observer of a part of the home was added.
    mutating func add(_ scope: HomeScope) {
        if scope.isWhole { wholeObservers += 1 }
    }

    /// An observer of a part of the home was removed.
    /// - Returns: the subscriptions that are not needed any more.
    mutating func remove(_ scope: HomeScope) -> [MQTTLinkSubscription] {
        guard scope.isWhole else { return [] }
        wholeObservers -= 1
        guard wholeObservers == 0 else { return [] }
        defer {
            subscriptions = [:]
            wildcards = nil
        }
        return Array(subscriptions.values) + [wildcards].compactMap(\.self)
    }

    /// Description and state of every device were subscribed to.
    mutating func addWildcards(_ subscription: MQTTLinkSubscription) { wildcards = subscription }

    /// Removes the wildcard subscription and returns it.
    mutating func takeWildcards() -> MQTTLinkSubscription? {
        defer { wildcards = nil }
        return wildcards
    }

    /// Whether the home is small enough for a broker to replay all of it to wildcards.
    var isSmall: Bool { count <= Self.replayLimit }

    /// A message of a device was received.
    /// - Parameter isReplayed: whether it was a retained message.
    mutating func record(_ device: DeviceID, _ part: DevicePart, isReplayed: Bool) {
        received[device, default: []].formUnion(RetainedParts(part))
        if isReplayed, part == .presence { replayed.insert(device) }
    }

    /// The connection is lost: messages may be missed until the next one.
    mutating func connectionLost() {
        received = [:]
        replayed = []
        wasConnectionLost = true
    }

    /// Whether to send a hello: a new connection serves observers of the whole home, which is too large
    /// for the broker's replay to be complete.
    var needsHello: Bool { wasConnectionLost && wholeObservers > 0 && !isSmall }

    /// The devices were asked to announce themselves.
    mutating func helloSent() { wasConnectionLost = false }

    /// Whether the replayed presences are a complete list of devices: there are some, and not so many
    /// that the broker may have dropped others.
    var isReplayConclusive: Bool { (1...Self.replayLimit).contains(replayed.count) }

    /// The devices whose presence has come, but not with the broker's first replay, in the order of their ids.
    func devices(missedBy first: Set<DeviceID>) -> [DeviceID] {
        received.filter { $0.value.contains(.presence) && !first.contains($0.key) }
            .map(\.key).sorted()
    }

    /// How many devices are known, on this connection or from an earlier one.
    var count: Int { max(received.count, subscriptions.count) }

    /// How many retained parts were received.
    var partCount: Int { received.values.reduce(0) { $0 + $1.rawValue.nonzeroBitCount } }

    /// Whether the device needs a subscription of its own: the whole home is observed, and neither
    /// wildcards nor an earlier subscription serve the device.
    func needsSubscription(_ device: DeviceID) -> Bool {
        wholeObservers > 0 && wildcards == nil && subscriptions[device] == nil
    }

    /// Description and state of a device were subscribed to.
    mutating func subscribed(to device: DeviceID, _ subscription: MQTTLinkSubscription) {
        subscriptions[device] = subscription
    }

    /// The devices with a subscription of their own, in the order of their ids.
    var subscribedDevices: [DeviceID] { subscriptions.keys.sorted() }

    /// The devices of which some parts were received, but not all, in the order of their ids.
    func incomplete(in scope: HomeScope) -> [(device: DeviceID, missing: RetainedParts)] {
        received.filter { scope.contains($0.key) && !$0.value.isSuperset(of: .all) }
            .map { ($0.key, RetainedParts.all.subtracting($0.value)) }
            .sorted { $0.device < $1.device }
    }
}
