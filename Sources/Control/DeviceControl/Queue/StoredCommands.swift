internal import DequeModule
internal import DeviceDomain
internal import DeviceMessages

/// The commands for one device that the process does not follow while they wait: the ledger alone has them,
/// and here is what it takes to find each in time. 100,000 commands may wait for devices that are away.
struct StoredCommands {
    /// One command: where it waits, and until when.
    struct Entry: Hashable {
        let id: CommandID
        /// Its place among the commands to the device.
        let sequence: Int
        /// When its time to start ends, by the monotonic clock.
        let expiry: Duration
    }

    /// In the order of their sequence numbers.
    private var lanes: [CommandLane: Deque<Entry>] = [:]
    /// Not later than the earliest expiry; `nil` where nothing is stored.
    private(set) var nextExpiry: Duration?

    /// How many there are.
    var count: Int { lanes.values.reduce(0) { $0 + $1.count } }

    /// Whether there are none.
    var isEmpty: Bool { lanes.isEmpty }

    /// The lowest sequence number in a lane; `nil` where the lane has none.
    func firstSequence(in lane: CommandLane) -> Int? { lanes[lane]?.first?.sequence }

    /// The next commands of a lane behind a sequence number.
    func page(of lane: CommandLane, after sequence: Int = 0, limit: Int) -> [Entry] {
        guard let entries = lanes[lane] else { return [] }
        return Array(entries[entries.position(of: sequence + 1)...].prefix(limit))
    }

    /// Whether a command is stored.
    func contain(_ sequence: Int, in lane: CommandLane) -> Bool {
        entry(of: sequence, in: lane) != nil
    }

    /// A command, if it is stored.
    func entry(of sequence: Int, in lane: CommandLane) -> Entry? {
        page(of: lane, after: sequence - 1, limit: 1).first { $0.sequence == sequence }
    }

    /// The commands whose time has passed. The next expiry is that of one of the others.
    mutating func findExpired(at moment: Duration) -> [CommandLane: [Entry]] {
        nextExpiry = lanes.values.joined().lazy.map(\.expiry).filter { $0 > moment }.min()
        return lanes.mapValues { $0.filter { $0.expiry <= moment } }
    }

    /// Adds a command.
    mutating func insert(_ entry: Entry, in lane: CommandLane) {
        let place = lanes[lane, default: []].position(of: entry.sequence)
        lanes[lane, default: []].insert(entry, at: place)
        nextExpiry = min(entry.expiry, nextExpiry ?? entry.expiry)
    }

    /// Removes a command, if it is there.
    mutating func remove(_ sequence: Int, in lane: CommandLane) {
        guard contain(sequence, in: lane), let place = lanes[lane]?.position(of: sequence) else {
            return
        }
        lanes[lane]?.remove(at: place)
        if lanes[lane]?.isEmpty == true { lanes[lane] = nil }
        if lanes.isEmpty { nextExpiry = nil }
    }
}

extension Deque<StoredCommands.Entry> {
    /// The first position whose sequence number is not lower, by bisection.
    fileprivate func position(of sequence: Int) -> Int {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                self[middle].sequence < sequence
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
