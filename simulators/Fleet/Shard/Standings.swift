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

    init(devices: Int) {
        standings = Array(repeating: DeviceStanding(), count: devices)
    }

    /// How many devices there are.
    var count: Int { standings.count }

    subscript(index: Int) -> DeviceStanding {
        get { standings[index] }
        set {
            count(standings[index], -1)
            standings[index] = newValue
            count(newValue, 1)
        }
    }

    private mutating func count(_ standing: DeviceStanding, _ step: Int) {
        if standing.isReady { ready += step }
        if standing.isDescribed { described += step }
        switch standing.link {
        case .offline, .held: break
        case .absent: absent += step
        case .online: online += step
        case .abandoned: abandoned += step
        case .closed: closed += step
        }
    }
}
