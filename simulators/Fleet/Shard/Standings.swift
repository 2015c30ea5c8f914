/// How all devices of a shard stand with the broker, counted as they change: a fleet of thousands is
/// never gone through to learn that one more is ready.
struct Standings {
    /// Devices with an accepted connection.
    private(set) var online = 0
    /// Devices that are ready.
    private(set) var ready = 0
    /// Devices that a scenario has not let come yet, or has let go.
    private(set) var absent = 0
    /// Devices that will not connect again.
    private(set) var abandoned = 0
    /// Devices whose connections are closed at the end of the run.
    private(set) var closed = 0
    /// Devices whose description the broker has confirmed at least once.
    private(set) var described = 0
    private var standings: [DeviceStanding]
    /// For each device, the place of its broker.
    private let brokers: [Int]
    /// For each broker, how its devices stand.
    private var figures: [BrokerFigures]

    /// How the devices of one broker stand.
    struct BrokerFigures: Hashable {
        /// How many there are.
        fileprivate(set) var devices = 0
        /// Those with an accepted connection.
        fileprivate(set) var online = 0
        /// Those that are ready.
        fileprivate(set) var ready = 0

        /// Whether every device is ready.
        var areAllReady: Bool { ready == devices }
    }

    /// - Parameter brokers: for each device, the place of its broker, counted from 0.
    init(brokers: [Int]) {
        standings = Array(repeating: DeviceStanding(), count: brokers.count)
        self.brokers = brokers
        figures = Array(repeating: BrokerFigures(), count: (brokers.max() ?? -1) + 1)
        for place in brokers { figures[place].devices += 1 }
    }

    /// How the devices stand that have the same broker as one.
    func figures(ofBrokerOf index: Int) -> BrokerFigures { figures[brokers[index]] }

    /// How many devices there are.
    var count: Int { standings.count }

    subscript(index: Int) -> DeviceStanding {
        get { standings[index] }
        set {
            count(standings[index], -1, of: brokers[index])
            standings[index] = newValue
            count(newValue, 1, of: brokers[index])
        }
    }

    private mutating func count(_ standing: DeviceStanding, _ step: Int, of broker: Int) {
        if standing.isReady {
            ready += step
            figures[broker].ready += step
        }
        if standing.isDescribed { described += step }
        switch standing.link {
        case .offline, .held: break
        case .absent: absent += step
        case .online:
            online += step
            figures[broker].online += step
        case .abandoned: abandoned += step
        case .closed: closed += step
        }
    }
}
