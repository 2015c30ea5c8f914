internal import Basics
internal import DeviceDomain
internal import DeviceMessages

/// When devices are asked again about commands whose outcome is unknown: at once when a device comes online,
/// then after 15 s, 30 s, 1 min and so on up to an hour while it stays there. It reads no clock.
struct UnknownQuestions {
    /// The waits between two questions.
    static let backoff = Backoff(first: .seconds(15), longest: .seconds(3_600))

    private struct Asked {
        /// Since when the device was online then.
        let since: Timestamp
        /// How often it was asked before.
        let earlier: Int
        let nextAt: Duration
    }

    private var asked: [CommandID: Asked] = [:]

    /// Which commands to ask about now. They count as asked about.
    /// - Parameters:
    ///   - online: the unknown commands whose devices are online, and since when.
    ///   - now: the monotonic time.
    mutating func due(of online: [CommandID: Timestamp], at now: Duration) -> Set<CommandID> {
        // What is resolved, put away or offline begins anew.
        asked = asked.filter { online[$0.key] == $0.value.since }
        var due: Set<CommandID> = []
        for (id, since) in online where (asked[id]?.nextAt ?? now) <= now {
            let earlier = asked[id].map { $0.earlier + 1 } ?? 0
            asked[id] = Asked(
                since: since, earlier: earlier, nextAt: now + Self.backoff.wait(after: earlier))
            due.insert(id)
        }
        return due
    }
}
