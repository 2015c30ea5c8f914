internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import HomeModel

/// What was heard and is not kept yet: a bounded amount, of which the oldest goes first. One device may take half of the
/// bytes, so that there is room for the others.
struct PendingHistory: Sendable {
    private struct Entry {
        enum Content {
            case sample(RecordedSample)
            case fact(RecordedFact)
        }

        let device: RecordedDevice
        let content: Content
        /// About how many bytes it takes in memory.
        let size: Int
    }

    /// Samples and facts that wait at most.
    private let limit: Int
    /// About how many bytes they take at most.
    private let mostBytes: Int
    private var entries: [Entry] = []
    private var bytes = 0
    /// How many of these are of which device.
    private var bytesOfDevices: [RecordedDevice: Int] = [:]
    /// How many entries were lost since that was last asked.
    private var lost = 0
    /// How many were not taken in since then.
    var refused = 0

    init(limit: Int, mostBytes: Int) {
        self.limit = limit
        self.mostBytes = mostBytes
    }

    /// Takes a change in that is kept; others are ignored.
    /// - Parameter moment: when it was heard.
    mutating func add(_ change: DeviceChange, of home: HomeID, at moment: Timestamp) {
        guard let content = Self.content(of: change, at: moment) else { return }
        let entry = Entry(
            device: RecordedDevice(change.device, in: home), content: content, size: change.size)
        guard bytesOfDevices[entry.device, default: 0] + entry.size <= mostBytes / 2 else {
            refused += 1
            return
        }
        entries.append(entry)
        bytes += entry.size
        bytesOfDevices[entry.device, default: 0] += entry.size
        while entries.count > limit || bytes > mostBytes {
            // In large steps, because removing from the front moves the rest.
            let surplus = max(1, entries.count / 10)
            removeFirst(surplus)
            lost += surplus
        }
    }

    private static func content(
        of change: DeviceChange, at moment: Timestamp
    ) -> Entry.Content? {
        switch change.content {
        case .telemetry(let sample):
            .sample(
                RecordedSample(
                    at: sample.at ?? moment, values: sample.values, boot: sample.boot,
                    n: sample.n))
        case .presence(let presence):
            .fact(
                RecordedFact(
                    // A will was written when the device connected, not when it was lost.
                    at: presence.status == .online ? presence.at ?? moment : moment,
                    kind: .presence,
                    name: presence.status.rawValue))
        case .event(let event):
            .fact(
                RecordedFact(
                    at: event.at ?? moment, kind: .event, name: event.name.text,
                    id: event.id?.text ?? "", detail: event.detail))
        case .description, .doubt, .channel, .label, .state, .evidence, .removed, .problem: nil
        }
    }

    private mutating func removeFirst(_ count: Int) {
        for entry in entries.prefix(count) {
            bytes -= entry.size
            let rest = bytesOfDevices[entry.device, default: 0] - entry.size
            bytesOfDevices[entry.device] = rest > 0 ? rest : nil
        }
        entries.removeFirst(count)
    }

    /// What waits, oldest first; it stays until ``drop(_:)``.
    var batch: (content: HistoryBatch, count: Int) {
        var batch = HistoryBatch()
        for entry in entries {
            switch entry.content {
            case .sample(let sample): batch.samples[entry.device, default: []].append(sample)
            case .fact(let fact): batch.facts[entry.device, default: []].append(fact)
            }
        }
        return (batch, entries.count + lost)
    }

    /// What was written goes.
    /// - Parameter count: that of ``batch``, before what was lost meanwhile.
    /// - Returns: how much was lost before it could be written.
    mutating func drop(_ count: Int) -> Int {
        defer { (lost, refused) = (0, 0) }
        removeFirst(max(0, min(count - lost, entries.count)))
        return lost + refused
    }
}
