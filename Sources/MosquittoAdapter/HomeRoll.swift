internal import Connectivity
internal import DeviceDomain
internal import MQTTLink

/// What a device retains.
struct RetainedParts: OptionSet, Sendable {
    let rawValue: UInt8

    static let description = RetainedParts(rawValue: 1)
    static let presence = RetainedParts(rawValue: 2)
    static let state = RetainedParts(rawValue: 4)
    static let all: RetainedParts = [.description, .presence, .state]

    /// Nothing for what is not retained.
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

/// Which devices of a home were heard on the present connection, and which of what they retain has
/// come.
struct HomeRoll: Sendable {
    /// From so many devices on a broker may drop a part of what it replays to a wildcard (PROTOCOL
    /// section 1).
    static let surelyReplayed = 500

    /// How many observers hear the whole home.
    private(set) var wholeObservers = 0
    /// What was heard of each device on the present connection.
    private(set) var heard: [DeviceID: RetainedParts] = [:]
    /// Devices whose presence the broker has replayed on the present connection.
    private var replayed: Set<DeviceID> = []
    /// The wishes for description and state of single devices.
    private var wishes: [DeviceID: MQTTWish] = [:]
    private var wasConnectionLost = false
    /// The wish for description and state of every device, where the broker's answer to it is small.
    private(set) var wildcards: MQTTWish?

    /// Somebody hears a part of the home.
    mutating func add(_ scope: HomeScope) {
        if scope.isWhole { wholeObservers += 1 }
    }

    /// Somebody hears a part of the home no more.
    /// - Returns: the wishes that nobody needs any more.
    mutating func remove(_ scope: HomeScope) -> [MQTTWish] {
        guard scope.isWhole else { return [] }
        wholeObservers -= 1
        guard wholeObservers == 0 else { return [] }
        defer {
            wishes = [:]
            wildcards = nil
        }
        return Array(wishes.values) + [wildcards].compactMap(\.self)
    }

    /// Description and state of every device were asked for.
    mutating func askedForWildcards(_ wish: MQTTWish) { wildcards = wish }

    /// The wildcards are given up.
    mutating func takeWildcards() -> MQTTWish? {
        defer { wildcards = nil }
        return wildcards
    }

    /// Whether the home is so small that the broker replays all of it to wildcards.
    var isSmall: Bool { count <= Self.surelyReplayed }

    /// Takes in that a device said something.
    /// - Parameter isReplayed: whether the broker had kept it.
    mutating func note(_ device: DeviceID, _ part: DevicePart, isReplayed: Bool) {
        heard[device, default: []].formUnion(RetainedParts(part))
        if isReplayed, part == .presence { replayed.insert(device) }
    }

    /// The connection is gone, and with it the certainty of having heard everything.
    mutating func connectionLost() {
        heard = [:]
        replayed = []
        wasConnectionLost = true
    }

    /// Whether the whole home is heard over another connection than before, and it is so large that the
    /// broker may not replay all of it.
    var isReconnected: Bool {
        wasConnectionLost && wholeObservers > 0 && !isSmall
    }

    /// The devices were asked to announce themselves.
    mutating func greeted() { wasConnectionLost = false }

    /// Whether the broker's replay of presences shows which devices there are: some came, and not so
    /// many that it may have dropped others.
    var isReplayConclusive: Bool { (1...Self.surelyReplayed).contains(replayed.count) }
    /// Whether the broker has replayed nothing.
    var isReplayEmpty: Bool { replayed.isEmpty }

    /// How many devices are known: heard, or listed before.
    var count: Int { max(heard.count, wishes.count) }

    /// How many retained parts were heard.
    var partCount: Int { heard.values.reduce(0) { $0 + $1.rawValue.nonzeroBitCount } }

    /// Whether somebody hears the whole home, and what a device retains was not asked for yet.
    func isNew(_ device: DeviceID) -> Bool {
        wholeObservers > 0 && wildcards == nil && wishes[device] == nil
    }

    /// What a device retains was asked for.
    mutating func asked(_ device: DeviceID, _ wish: MQTTWish) { wishes[device] = wish }

    /// The devices whose description and state were asked for.
    var asked: [DeviceID] { wishes.keys.sorted() }

    /// The devices that were heard, but not all that they should retain, in the order of their ids.
    func incomplete(in scope: HomeScope) -> [(device: DeviceID, missing: RetainedParts)] {
        heard.filter { scope.contains($0.key) && !$0.value.isSuperset(of: .all) }
            .map { ($0.key, RetainedParts.all.subtracting($0.value)) }
            .sorted { $0.device < $1.device }
    }
}
