internal import Connectivity
internal import DequeModule
internal import DeviceDomain

/// Changes that wait for one reader: per device the newest description, presence, state and sample,
/// and each event and acknowledgement once.
///
/// A newer value takes the place of the older one in the queue, so the reader never sees an old one
/// after a new one, and the queue has at most one entry for each part of each device.
struct ChangeBuffer: Sendable {
    /// What is replaced by its newer value while it waits.
    private enum Key: Hashable {
        case part(DeviceID, DevicePart)
        case problem(DeviceID, DevicePart)
        case removal(DeviceID)
        case link(ChannelID)
        case channel(DeviceID)
        case label(DeviceID)
    }

    private enum Entry {
        case latest(Key)
        case each(HomeChange, size: Int)
    }

    private var queue: Deque<Entry> = []
    private var latest: [Key: HomeChange] = [:]
    private var waitingSingles = 0
    /// About how much memory they take.
    private var waitingBytes = 0
    private let limit: Int
    private let mostBytes: Int

    /// Values that were replaced before they were read.
    private(set) var skipped = 0
    /// Events and acknowledgements for which there was no room.
    private(set) var dropped = 0

    /// Whether each sample and presence waits as events do, instead of the newest.
    private let keepsAll: Bool

    /// - Parameters:
    ///   - limit: how many events and acknowledgements may wait; beyond it the newest go.
    ///   - mostBytes: about how many bytes they may take; beyond it the newest go.
    ///   - keepsAll: whether each sample and presence waits as well, instead of the newest.
    init(limit: Int, mostBytes: Int, keepsAll: Bool = false) {
        self.limit = limit
        self.mostBytes = mostBytes
        self.keepsAll = keepsAll
    }

    mutating func add(_ change: HomeChange) {
        guard !(keepsAll && change.isRecordable), let key = Self.key(of: change) else {
            return addSingle(change)
        }
        if case .removal(let device) = key { forget(device) }
        if latest.updateValue(change, forKey: key) == nil {
            queue.append(.latest(key))
        } else {
            skipped += 1
        }
    }

    mutating func next() -> HomeChange? {
        while let entry = queue.popFirst() {
            switch entry {
            case .latest(let key):
                // A removal has taken back what waited of its device.
                if let change = latest.removeValue(forKey: key) { return change }
            case .each(let change, let size):
                waitingSingles -= 1
                waitingBytes -= size
                return change
            }
        }
        return nil
    }

    private mutating func addSingle(_ change: HomeChange) {
        let size = change.size
        guard waitingSingles < limit, waitingBytes + size <= mostBytes else {
            dropped += 1
            return
        }
        waitingSingles += 1
        waitingBytes += size
        queue.append(.each(change, size: size))
    }

    /// What waits of a device that is gone does not hold any more.
    private mutating func forget(_ device: DeviceID) {
        for part in DevicePart.allCases {
            for key in [Key.part(device, part), .problem(device, part)]
            where latest.removeValue(forKey: key) != nil {
                queue.removeAll {
                    if case .latest(let waiting) = $0 { waiting == key } else { false }
                }
                skipped += 1
            }
        }
    }

    private static func key(of change: HomeChange) -> Key? {
        switch change {
        case .link(let channel, _): return .link(channel)
        case .device(let change):
            switch change.content {
            case .description: return .part(change.device, .description)
            case .presence, .doubt: return .part(change.device, .presence)
            case .channel: return .channel(change.device)
            case .label: return .label(change.device)
            case .state: return .part(change.device, .state)
            case .telemetry: return .part(change.device, .telemetry)
            case .problem(let part, _): return .problem(change.device, part)
            case .removed: return .removal(change.device)
            case .event, .evidence: return nil
            }
        }
    }
}

extension HomeChange {
    /// Whether it says something that a newer one of its kind does not replace for who keeps a history.
    fileprivate var isRecordable: Bool {
        guard case .device(let change) = self else { return false }
        return switch change.content {
        case .telemetry, .presence: true
        case .description, .doubt, .channel, .label, .state, .event, .evidence, .removed, .problem:
            false
        }
    }
}
