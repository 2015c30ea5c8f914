import Basics
import DeviceDomain
import History

/// A store in memory that fails when the test says so.
final class ScriptedStore: SampleStore {
    private struct State {
        var samples: [RecordedSample] = []
        var facts: [RecordedFact] = []
        var failure: HistoryError?
        var work = 0
        var upkeeps: [Timestamp] = []
        var duringUpkeep: @Sendable (ScriptedStore) -> Void = { _ in }
    }

    private let state = Guarded(State())

    var samples: [RecordedSample] { state.withLock { $0.samples } }
    var facts: [RecordedFact] { state.withLock { $0.facts } }
    /// When upkeep was done.
    var upkeeps: [Timestamp] { state.withLock { $0.upkeeps } }

    /// From now on every write fails, or succeeds again.
    func fail(_ failure: HistoryError?) { state.withLock { $0.failure = failure } }

    /// So many steps of upkeep have something to do.
    /// - Parameter body: is called in each step.
    func leaveWork(
        _ steps: Int, during body: @escaping @Sendable (ScriptedStore) -> Void = { _ in }
    ) {
        state.withLock { state in
            state.work = steps
            state.duringUpkeep = body
        }
    }

    func add(_ batch: HistoryBatch) async throws(HistoryError) {
        let failure = state.withLock { state in
            guard state.failure == nil else { return state.failure }
            state.samples += batch.samples.values.flatMap(\.self)
            state.facts += batch.facts.values.flatMap(\.self)
            return nil
        }
        if let failure { throw failure }
    }

    func maintain(at now: Timestamp) async throws(HistoryError) -> Bool {
        let duringUpkeep = state.withLock { $0.duringUpkeep }
        duringUpkeep(self)
        return state.withLock { state in
            state.upkeeps.append(now)
            state.work -= 1
            return state.work >= 0
        }
    }

    func samples(
        of device: DeviceID, in home: HomeID, _ period: Range<Timestamp>
    ) async throws(HistoryError) -> [RecordedSample] { samples }

    func means(
        of device: DeviceID, in home: HomeID, _ period: Range<Timestamp>, length: Int
    ) async throws(HistoryError) -> [RecordedSample] { [] }

    func facts(
        of device: DeviceID, in home: HomeID, _ period: Range<Timestamp>
    ) async throws(HistoryError) -> [RecordedFact] { facts }

    func span(
        of device: DeviceID, in home: HomeID
    ) async throws(HistoryError) -> ClosedRange<Timestamp>? { nil }
}
