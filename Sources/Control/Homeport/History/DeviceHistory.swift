internal import DeviceControl
public import DeviceDomain
public import History
internal import HomeModel

extension Home {
    /// What is kept of its devices.
    public var deviceHistory: DeviceHistory {
        DeviceHistory(observation: observation, stores: historyStores)
    }
}

/// What is kept of the devices of a home, beside its ledger.
public struct DeviceHistory: Sendable {
    let observation: HomeObservation
    let stores: HistoryStores

    private var home: HomeID { observation.home }

    /// Keeps the samples, presence and events of every device until the task is cancelled or the home ends. It observes
    /// the home for that. Beside a ledger in a file samples are kept for a day, and their means for a year
    /// (`HistoryTier`); in a database all for the same time.
    ///
    /// Commands never wait for it. What cannot be written waits, up to a bound, and is tried again.
    /// - Parameters:
    ///   - age: how long all is kept in a database, a day at least; `nil` for a ledger in a file.
    ///   - report: is told what is wrong, once, and when it is right again.
    /// - Throws: ``HomeError`` `configuration` where there is no place for a ledger, and for an age that is missing or too
    ///   much; `ledger`, `ledgerUnreachable`.
    public func keep(
        for age: Duration? = nil, _ report: @escaping @Sendable (HistoryNotice) -> Void
    ) async throws(HomeError) {
        guard let store = try await stores.storeForWriting(keptFor: age) else { return }
        let recorder = HistoryRecorder(
            in: store, at: stores.pace, clock: observation.clock, reporting: report)
        await recorder.run { await keep(with: recorder) }
    }

    /// Says early that an age cannot be kept.
    /// - Throws: ``HomeError`` `configuration` for a ledger in a file.
    package func requireDatabase() throws(HomeError) { try stores.requireDatabase() }

    /// Lets a recorder hear the home until the task is cancelled or the home ends.
    func keep(with recorder: HistoryRecorder) async {
        let changes = observation.live.recordableChanges()
        observation.observe(.everyDevice)
        await recorder.hear(changes, of: home)
    }

    /// What is kept of a device from a moment on and before another, oldest first.
    /// - Parameters:
    ///   - device: the device.
    ///   - start: the earliest stamp that is wanted.
    ///   - end: the earliest stamp that is wanted no more.
    ///   - length: of the periods whose means are wanted, at least 1 ms; `nil` for what was recorded: samples
    ///     of the last day, beside a ledger in a file means of five minutes and of an hour before that.
    /// - Throws: ``HomeError`` `history`.
    public func samples(
        of device: DeviceID, from start: Timestamp, to end: Timestamp, every length: Duration? = nil
    ) async throws(HomeError) -> [RecordedSample] {
        try await reading(orReturn: []) { store throws(HistoryError) in
            let start = start.clamped
            let period = start..<max(start, end.clamped)
            guard let length else { return try await store.samples(of: device, in: home, period) }
            return try await store.means(
                of: device, in: home, period, length: max(1, length.wholeMilliseconds))
        }
    }

    /// The facts about a device from a moment on and before another, oldest first: when it came and went, and its events.
    /// - Throws: ``HomeError`` `history`.
    public func facts(
        of device: DeviceID, from start: Timestamp, to end: Timestamp
    ) async throws(HomeError) -> [RecordedFact] {
        try await reading(orReturn: []) { store throws(HistoryError) in
            let start = start.clamped
            return try await store.facts(of: device, in: home, start..<max(start, end.clamped))
        }
    }

    /// When the first and the last sample of a device were taken that are kept, or went into a mean; `nil` for none.
    /// - Throws: ``HomeError`` `history`.
    public func span(
        of device: DeviceID
    ) async throws(HomeError) -> ClosedRange<Timestamp>? {
        try await reading(orReturn: nil) { store throws(HistoryError) in
            try await store.span(of: device, in: home)
        }
    }

    private func reading<Value>(
        orReturn nothing: Value,
        _ body: (any SampleStore) async throws(HistoryError) -> Value
    ) async throws(HomeError) -> Value {
        guard let store = try await stores.store() else { return nothing }
        do throws(HistoryError) {
            return try await body(store)
        } catch {
            throw HomeError(.history, "\(error)")
        }
    }
}

extension Timestamp {
    /// Within what periods of a year around it can be counted in.
    fileprivate var clamped: Timestamp {
        let limit = JSONValue.largestInteger
        return Timestamp(milliseconds: min(max(milliseconds, -limit), limit))
    }
}
