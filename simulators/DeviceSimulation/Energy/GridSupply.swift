/// What supplies a home.
enum GridSupply: Hashable, Sendable {
    /// The grid.
    case grid
    /// Its stores, off the grid. Until `shedUntil`, a second of the world, it counts as a home that had
    /// to shed load.
    case island(shedUntil: Int?)
    /// Nothing: no store can supply it. At the second `next` its stores try to start it.
    case dark(attempt: Int, next: Int)

    /// How long after each failed attempt the next one comes, in s; the last wait is repeated
    /// (Enphase TEB-00084: after 10, 20, 40, 120 min; that it goes on is an estimate).
    static let waits = [600, 1200, 2400, 7200]

    /// How long a home counts as one that sheds load after the last time, in s (estimate: what switched
    /// loads wait before they return).
    static let shedMemory = 300

    /// A home that goes dark at a second.
    static func dark(at second: Int) -> GridSupply {
        .dark(attempt: 0, next: second + waits[0])
    }

    /// After an attempt that failed at a second.
    static func dark(after attempt: Int, at second: Int) -> GridSupply {
        let next = min(attempt + 1, waits.count - 1)
        return .dark(attempt: next, next: second + waits[next])
    }

    /// Whether anything supplies the home.
    var hasPower: Bool {
        switch self {
        case .grid, .island: true
        case .dark: false
        }
    }

    /// Whether the home has less than it wants.
    func isShedding(at second: Int) -> Bool {
        switch self {
        case .grid: false
        case .island(let end): end.map { second < $0 } ?? false
        case .dark: true
        }
    }
}

/// What flows in a home, each the mean of the last second, in W.
struct PowerFlows: Hashable, Sendable {
    /// What the roof gives; off the grid only the part that is used.
    var pvW = 0.0
    /// What comes from the grid; negative into it.
    var gridW = 0.0
    /// What the home draws, without its stores.
    var loadW = 0.0
    /// What the meters show that the home does not use of its roof, whatever its stores do; negative if
    /// it uses more. This is what the stores follow.
    var shownSurplusW = 0.0
}
