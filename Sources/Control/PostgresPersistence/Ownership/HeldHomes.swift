internal import Basics

/// The homes that this process owns, as far as it knows.
final class HeldHomes: Sendable {
    /// An ownership. The epoch and the instance are compared in every write.
    struct Tenure: Hashable, Sendable {
        /// How many owners the home has had, this one included.
        let epoch: Int
        /// The row of this process.
        let instance: Int
    }

    private let state = Guarded(State())

    private struct State {
        var tenures: [HomeKey: Tenure] = [:]
        var made: Set<HomeKey> = []
    }

    func tenure(of home: HomeKey) -> Tenure? { state.withLock { $0.tenures[home] } }

    /// Replaces what is known of a home; `nil` where it belongs to somebody else, or to nobody.
    func set(_ tenure: Tenure?, of home: HomeKey) { state.withLock { $0.tenures[home] = tenure } }

    /// Forgets an ownership, unless there has been a later one since.
    func end(_ tenure: Tenure, of home: HomeKey) {
        state.withLock { if $0.tenures[home] == tenure { $0.tenures[home] = nil } }
    }

    /// Every home with its ownership.
    var all: [HomeKey: Tenure] { state.withLock { $0.tenures } }

    /// Those of some homes of which it is not known that they have a row.
    func unmade(_ homes: Set<HomeKey>) -> Set<HomeKey> {
        state.withLock { homes.subtracting($0.made) }
    }

    /// Homes have rows.
    func noteMade(_ homes: Set<HomeKey>) { state.withLock { $0.made.formUnion(homes) } }
}
