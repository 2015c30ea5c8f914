internal import DeviceControl
internal import DeviceDomain
internal import PostgresPersistence

/// What an instance knows from one round to the next.
struct InstanceRounds {
    /// What has changed in a round.
    struct Change {
        var taken = 0
        var givenUp = 0
        var lost = 0

        var isAny: Bool { taken + givenUp + lost > 0 }

        /// - Parameter homes: how many the instance drives now.
        func notice(homes: Int) -> InstanceNotice {
            .share(taken: taken, givenUp: givenUp, lost: lost, homes: homes)
        }
    }

    /// Which homes it takes its share of.
    let homes: ServedHomes
    /// Whether a round was complete.
    var isReady = false
    /// The standing in which there was nothing to take or to give up; `nil` while there is.
    var settled: HomeStanding.Mark?
    /// Why the last round failed; `nil` where it did not.
    var failure: String?
    /// How many homes had no connection at the last look.
    var unconnected = 0
    /// When all homes were looked at last; `nil` where that is due.
    private var lookedAt: Duration?
    /// The homes that have not had their turn.
    private var waiting: [HomeID] = []
    /// The part of a turn that is due, and since when.
    private var due = (turns: 0.0, at: Duration?.none)

    init(_ homes: ServedHomes) { self.homes = homes }

    /// New homes are to be looked at at once.
    mutating func hasNewHomes() { lookedAt = nil }

    /// Whether to look at all homes. It counts as done.
    mutating func takeLook(at now: Duration, every pause: Duration) -> Bool {
        if let lookedAt, now - lookedAt < pause { return false }
        lookedAt = now
        return true
    }

    /// The homes whose turn it is, so that each has one in `time`. They count as done.
    mutating func turns(
        at now: Duration, in time: Duration, of homes: some Collection<HomeID>
    ) -> [HomeID] {
        if waiting.isEmpty { waiting = Array(homes) }
        due.turns += Double(homes.count) * ((now - (due.at ?? now)) / time)
        due.at = now
        let count = min(waiting.count, Int(due.turns))
        due.turns -= Double(Int(due.turns))
        defer { waiting.removeLast(count) }
        return waiting.suffix(count)
    }
}
