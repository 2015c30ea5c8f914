import TestSupport

@testable import Fleet

/// A fleet that runs while a test looks at it.
struct RunningFleet {
    let fleet: Fleet
    /// What the fleet says, in order; read by one test at a time.
    let notices: AsyncStream<FleetNotice>

    /// Waits for a notice that begins so.
    @discardableResult
    func notice(beginning start: String) async throws -> String {
        for await notice in notices where "\(notice)".hasPrefix(start) { return "\(notice)" }
        throw TestSupportError("the fleet ended without saying: \(start)")
    }
}

/// Runs a fleet beside `body` and lets it say goodbye afterwards.
@discardableResult
func withFleet<R>(
    _ counts: DeviceCounts, on url: String, version: FleetProtocolVersion = .v5,
    journal directory: TemporaryFolder? = nil, clock: FleetClock = .system(),
    reconnect: ReconnectRule = .standard, startLimit: Duration = .seconds(20),
    _ body: (RunningFleet) async throws -> R
) async throws -> R {
    let directory = try directory ?? TemporaryFolder()
    let (notices, sink) = AsyncStream.makeStream(
        of: FleetNotice.self, bufferingPolicy: .bufferingOldest(1000))
    let folder = try JournalDirectory(path: directory.path)
    defer { folder.release() }
    let fleet = try Fleet(
        plan: FleetPlan(homes: .numbered(1), counts: counts, seed: 1),
        journal: Journal(in: folder, homes: FleetHomes.numbered(1).ids),
        brokers: FleetBrokers([FleetBroker(url: url)]), protocolVersion: version,
        reconnect: reconnect,
        startLimit: startLimit,
        clock: clock, report: { sink.yield($0) })
    async let run: Void = runToEnd(fleet, sink)
    let value = try await body(RunningFleet(fleet: fleet, notices: notices))
    await fleet.shard.end()
    try await run
    return withExtendedLifetime(directory) { value }
}

private func runToEnd(
    _ fleet: Fleet, _ sink: AsyncStream<FleetNotice>.Continuation
) async throws {
    defer { sink.finish() }
    try await fleet.run()
}
