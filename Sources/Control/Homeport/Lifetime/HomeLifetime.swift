internal import Basics
internal import Connectivity
internal import HomeModel

/// Whether a home runs, and its storage once that is open.
package final class HomeLifetime: Sendable {
    /// Whether the ledger is one of several machines.
    let hasSharedLedger: Bool
    private let phase = Guarded(Phase.idle)
    private let stop = FutureValue<Void>()
    /// The storage as it was opened.
    private let opening = FutureValue<Result<HomeStorage, HomeError>>()
    /// The same once its invoker works.
    private let opened = FutureValue<Result<HomeStorage, HomeError>>()

    /// Whether a home was run, runs or has ended.
    private enum Phase {
        /// It was never run.
        case idle
        /// It runs.
        case running
        /// It has ended; it does not run again.
        case ended
    }

    init(hasSharedLedger: Bool) { self.hasSharedLedger = hasSharedLedger }

    /// Begins to open the storage.
    /// - Parameter live: gets to know what the user calls devices and rooms.
    /// - Throws: ``HomeError`` `notRunning` for a home that ran before.
    func begin(
        _ configuration: HomeConfiguration, sendingBy factory: CommunicationStrategyFactory,
        telling live: LiveHome
    ) throws(HomeError) {
        let former = phase.withLock { phase in
            defer { if phase == .idle { phase = .running } }
            return phase
        }
        guard former == .idle else {
            throw HomeError(
                .notRunning, "the home is running already, or has ended; make a new one")
        }
        HomeStorage.open(configuration, sendingBy: factory) { [opening] result in
            if case .success(let storage) = result { live.learn(storage.firstLabels) }
            opening.settle(result)
        }
    }

    /// Lets the invoker work on the opened storage until the home is to stop.
    func work(on executor: any TaskExecutor) async {
        let result = await opening.value() ?? .failure(.notRunning)
        guard case .success(let storage) = result else {
            opened.settle(result)
            _ = await stop.value()
            return
        }
        // On the loop, so that an answer wakes no other thread but the ledger's.
        await withTaskExecutorPreference(executor) {
            await storage.invoker.whileRunning {
                opened.settle(result)
                _ = await stop.value()
            }
        }
    }

    /// Lets ``work(on:)`` end.
    func requestStop() { stop.settle(()) }

    /// Nothing is accepted any more.
    /// - Returns: what is to be closed.
    func end() -> HomeStorage? {
        phase.withLock { $0 = .ended }
        opened.settle(.failure(.notRunning))
        return try? opened.current?.get()
    }

    func requireRunning() throws(HomeError) {
        guard phase.withLock({ $0 }) == .running else { throw .notRunning }
    }

    /// The storage, once its invoker works.
    /// - Throws: ``HomeError`` `ledger` if the ledger cannot be opened, `notRunning`, `cancelled`.
    func storage() async throws(HomeError) -> HomeStorage {
        try requireRunning()
        guard let result = await opened.value() else {
            throw HomeError(.cancelled, "the wait for the ledger was cancelled")
        }
        return try result.get()
    }

    /// The same, for one use whose errors become those of a home.
    func withStorage<Value>(
        _ body: (HomeStorage) async throws -> Value
    ) async throws(HomeError) -> Value {
        let storage = try await storage()
        do {
            return try await body(storage)
        } catch {
            throw HomeError(wrapping: error)
        }
    }
}
