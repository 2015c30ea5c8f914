import DeviceDomain
import DeviceSimulation

/// What the processes of a fleet say of the loss of one broker, as one.
struct JoinedOutage: Sendable {
    /// The devices of all processes on this broker.
    private(set) var devices: Int
    /// The processes that have some of them.
    private(set) var parts: Set<Int>
    /// Parts that are not back, once the loss of the broker was told.
    private var away: Set<Int> = []
    /// Parts whose connections broke and are back, while others have not said so.
    private var broken: Set<Int> = []

    init(devices: Int, parts: Set<Int>) {
        self.devices = devices
        self.parts = parts
    }

    /// One more device.
    fileprivate mutating func add(deviceOf part: Int) {
        devices += 1
        parts.insert(part)
    }

    /// A part has lost the broker.
    /// - Returns: whether that is told.
    mutating func lost(_ part: Int) -> Bool {
        guard away.isEmpty else { return false }
        // The others lose it too, if they have not said so yet.
        away = parts.subtracting(broken).union([part])
        broken = []
        return true
    }

    /// A part is back.
    /// - Returns: whether all are with it.
    mutating func back(_ part: Int) -> Bool {
        away.remove(part) != nil && away.isEmpty
    }

    /// What follows from a break of a part's connections that was over at once.
    enum Break {
        case nothing
        /// All connections broke, and all are back.
        case over
        /// All are back from a loss that was told.
        case back
    }

    /// The connections of a part broke and are back.
    mutating func broke(_ part: Int) -> Break {
        guard away.isEmpty else { return back(part) ? .back : .nothing }
        broken.insert(part)
        guard broken == parts else { return .nothing }
        broken = []
        return .over
    }
}

extension FleetBrokers {
    /// What is told of each broker by the name that notices give it; the empty name is that of the only one.
    /// - Parameter parts: the homes of each process.
    func outages(of plan: FleetPlan, in parts: [FleetHomes]) -> [String: JoinedOutage] {
        var numbers: [HomeID: Int] = [:]
        for (place, homes) in parts.enumerated() {
            for home in homes.ids { numbers[home] = place + 1 }
        }
        return plan.devices.reduce(into: [:]) { outages, device in
            let home = device.identity.home
            outages[name(of: place(of: home)) ?? "", default: JoinedOutage(devices: 0, parts: [])]
                .add(deviceOf: numbers[home] ?? 1)
        }
    }

    /// The name of a broker, where it has to be told from others.
    func name(of place: Int) -> String? { all.count > 1 ? "\(all[place])" : nil }
}
