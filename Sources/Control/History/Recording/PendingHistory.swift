internal import Connectivity
internal import DeviceDomain
internal import DeviceMessages
internal import HomeModel

/// What was heard and is not kept yet: a bounded amount, of which the oldest goes first.
struct PendingHistory: Sendable {
    private enum Entry {
        case sample(RecordedDevice, RecordedSample)
        case fact(RecordedDevice, RecordedFact)
    }

    /// Samples and facts that wait at most.
    private let limit: Int
    private var entries: [Entry] = []
    /// How many entries were lost since that was last asked.
    private(set) var lost = 0

    init(limit: Int) { self.limit = limit }

    /// Takes a change in that is kept; others are ignored.
    /// - Parameter moment: when it was heard.
    mutating func add(_ change: DeviceChange, of home: HomeID, at moment: Timestamp) {
        let device = RecordedDevice(change.device, in: home)
        switch change.content {
        case .telemetry(let sample):
            entries.append(
                .sample(
                    device,
                    RecordedSample(
                        at: sample.at ?? moment, values: sample.values, boot: sample.boot,
                        n: sample.n)))
        case .presence(let presence):
            entries.append(
                .fact(
                    device,
                    RecordedFact(
                        // A will was written when the device connected, not when it was lost.
                        at: presence.status == .online ? presence.at ?? moment : moment,
                        kind: .presence,
                        name: presence.status.rawValue)))
        case .event(let event):
            entries.append(
                .fact(
                    device,
                    RecordedFact(
                        at: event.at ?? moment, kind: .event, name: event.name.text,
                        id: event.id?.text ?? "", detail: event.detail)))
        case .description, .doubt, .channel, .label, .state, .evidence, .removed, .problem: return
        }
        guard entries.count > limit else { return }
        // In large steps, because removing from the front moves the rest.
        let surplus = limit / 10
        entries.removeFirst(surplus)
        lost += surplus
    }

    /// What waits, oldest first; it stays until ``drop(_:)``.
    var batch: (content: HistoryBatch, count: Int) {
        var batch = HistoryBatch()
        for entry in entries {
            switch entry {
            case .sample(let device, let sample): batch.samples[device, default: []].append(sample)
            case .fact(let device, let fact): batch.facts[device, default: []].append(fact)
            }
        }
        return (batch, entries.count + lost)
    }

    /// What was written goes.
    /// - Parameter count: that of ``batch``, before what was lost meanwhile.
    /// - Returns: how much was lost before it could be written.
    mutating func drop(_ count: Int) -> Int {
        defer { lost = 0 }
        entries.removeFirst(max(0, min(count - lost, entries.count)))
        return lost
    }
}
