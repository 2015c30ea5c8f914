internal import Basics
public import DeviceDomain
public import HomeModel

/// What a recorder says about its work.
public enum HistoryNotice: Sendable, CustomStringConvertible {
    /// Nothing is kept at the moment; what is heard waits, and it is tried again. Said once.
    case failed(HistoryError)
    /// It is kept again; so many samples and events are missing.
    case recovered(lost: Int)
    /// So many samples and events came faster than they could be kept.
    case overrun(lost: Int)

    public var description: String {
        switch self {
        case .failed(let error): "the history is not kept for now: \(error)"
        case .recovered(0): "the history is kept again"
        case .recovered(let lost):
            "the history is kept again; \(lost) samples and events are missing"
        case .overrun(let lost):
            "\(lost) samples and events came faster than the history could be written, and are not in it"
        }
    }
}

/// How often a history is written, and how much waits for that.
public struct RecordingPace: Sendable {
    /// How long what was heard waits to be written: a killed process loses so much.
    public let pause: Duration
    /// How many samples and facts wait at most, also while they cannot be written.
    public let limit: Int
    /// About how many bytes of memory they take at most; those of one device half of it.
    public let mostBytes: Int

    /// That of a file, for a small computer that is to write little: ten seconds of 10,000 devices with a sample every
    /// 5 s. A home of seven fills it in four hours of a full disk.
    public static let file = RecordingPace(
        pause: .seconds(10), limit: 20_000, mostBytes: 32 << 20)
    /// That of a database server for many homes: 14 s of 7,000 samples a second.
    public static let server = RecordingPace(
        pause: .seconds(1), limit: 100_000, mostBytes: 128 << 20)
}

/// Keeps what is heard of homes in a store: in batches, so that little is written, and beside everything else, so that
/// nothing waits for it.
public final class HistoryRecorder: Sendable {
    /// Upkeep is done once in so many pauses: every ten minutes in a file, every minute in a database server.
    package static let upkeepInterval = 60
    /// It is done earlier where a device has sent so many samples since, twice as many as usual.
    package static let mostLooseSamples = 240

    /// What the recorder remembers from one batch to the next.
    private struct Progress {
        /// How many pauses have passed since the last upkeep.
        var round = 0
        /// How many samples of one device were written since then, at most.
        var loose = 0
        /// Why the last batch was not written; `nil` where it was.
        var failure: HistoryError.Code?
        /// How many changes of devices were read.
        var heard = 0
    }

    private let store: any SampleStore
    private let pace: RecordingPace
    private let clock: any CommandClock
    private let report: @Sendable (HistoryNotice) -> Void
    private let pending: Guarded<PendingHistory>
    private let progress = Guarded(Progress())

    public init(
        in store: any SampleStore, at pace: RecordingPace, clock: any CommandClock,
        reporting report: @escaping @Sendable (HistoryNotice) -> Void
    ) {
        self.store = store
        self.pace = pace
        self.clock = clock
        self.report = report
        pending = Guarded(PendingHistory(limit: pace.limit, mostBytes: pace.mostBytes))
    }

    /// How many changes of devices were heard, for tests that wait for them.
    package var heardCount: Int { progress.withLock { $0.heard } }

    /// Writes what is heard while `body` runs, which hears the changes of homes; what came last is written then. To be
    /// called once.
    public func run(hearing body: @escaping @Sendable () async -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await body() }
            group.addTask { await self.writeUntilCancelled() }
            await group.next()
            group.cancelAll()
        }
        await write()
    }

    /// Hears the changes of a home until the task is cancelled or they end.
    public func hear(_ changes: HomeChanges, of home: HomeID) async {
        var dropped = 0
        for await change in changes {
            guard case .device(let change) = change else { continue }
            let now = clock.now.wall
            let news = changes.droppedCount - dropped
            dropped += news
            // Said with the next batch: in a flood each change would say it.
            pending.withLock { pending in
                pending.add(change, of: home, at: now)
                pending.refused += news
            }
            progress.withLock { $0.heard += 1 }
        }
    }

    private func writeUntilCancelled() async {
        // What a server has left that did not run for long enough.
        await maintain()
        while true {
            await clock.sleep(for: pace.pause)
            if Task.isCancelled { return }
            await write()
            let isDue = progress.withLock { progress in
                progress.round += 1
                guard
                    progress.round >= Self.upkeepInterval
                        || progress.loose >= Self.mostLooseSamples
                else { return false }
                (progress.round, progress.loose) = (0, 0)
                return true
            }
            if isDue { await maintain() }
        }
    }

    private func write() async {
        let (batch, count) = pending.withLock { $0.batch }
        do throws(HistoryError) {
            if count > 0 { try await add(batch) }
            let most = batch.samples.values.map(\.count).max() ?? 0
            progress.withLock { $0.loose += most }
            let lost = pending.withLock { $0.drop(count) }
            if isFirst(nil) {
                report(.recovered(lost: lost))
            } else if lost > 0 {
                report(.overrun(lost: lost))
            }
        } catch {
            if isFirst(error.code) { report(.failed(error)) }
        }
    }

    /// A damaged history was moved aside, so the batch goes into a new one.
    private func add(_ batch: HistoryBatch) async throws(HistoryError) {
        do {
            try await store.add(batch)
        } catch  where error.code == .damaged {
            _ = isFirst(error.code)
            report(.failed(error))
            try await store.add(batch)
        }
    }

    private func maintain() async {
        var written = clock.now.elapsed
        do throws(HistoryError) {
            while !Task.isCancelled, try await store.maintain(at: clock.now.wall) {
                // Upkeep of much may take minutes, and what is heard must not wait in memory for so long.
                guard clock.now.elapsed - written >= pace.pause else { continue }
                await write()
                written = clock.now.elapsed
            }
        } catch {
            if isFirst(error.code) { report(.failed(error)) }
        }
    }

    /// Whether that is news.
    private func isFirst(_ failure: HistoryError.Code?) -> Bool {
        progress.withLock { progress in
            defer { progress.failure = failure }
            return progress.failure != failure
        }
    }
}
