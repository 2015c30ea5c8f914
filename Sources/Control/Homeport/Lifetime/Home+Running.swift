internal import Basics
internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel
public import ServiceLifecycle

extension Home: Service {
    /// Runs the home until the task is cancelled or a graceful shutdown begins; to be called once.
    /// At the end what is under way is sent, for two seconds at most, and every stream ends.
    /// - Throws: ``HomeError`` `notRunning` if it ran before.
    public func run() async throws {
        try begin()
        await work()
    }

    /// Runs the home for as long as `body` does.
    public func whileRunning<Value>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        try begin()
        async let working: Void = work()
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        stop.settle(())
        await working
        return try result.get()
    }

    private func begin() throws(HomeError) {
        let former = phase.withLock { phase in
            defer { if phase == .idle { phase = .running } }
            return phase
        }
        guard former == .idle else {
            throw HomeError(
                .notRunning, "the home is running already, or has ended; make a new one")
        }
        // First, so that the ledger opens while the channels connect.
        Control.open(self) { [ledger] in ledger.settle($0) }
    }

    private func work() async {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for station in stations {
                    // On the loop, so that a loss is known before what comes over the next link.
                    group.addTask(executorPreference: executor) {
                        await self.watchLink(of: station.channel)
                    }
                }
                if configuration.takesOverOpenCommands {
                    group.addTask { await self.takeOverForEver() }
                }
                await control()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            self.stop.settle(())
        }
        await close()
    }

    /// Lets the invoker work on the opened ledger until the home is to stop.
    private func control() async {
        let result = await ledger.value() ?? .failure(.notRunning)
        guard case .success(let control) = result else {
            opened.settle(result)
            _ = await stop.value()
            return
        }
        // On the loop, so that an answer wakes no other thread but the ledger's.
        await withTaskExecutorPreference(executor) {
            await control.invoker.whileRunning {
                opened.settle(result)
                _ = await stop.value()
            }
        }
    }

    private func close() async {
        phase.withLock { $0 = .ended }
        opened.settle(.failure(.notRunning))
        for station in stations { await station.channel.close() }
        live.finish()
        if case .success(let control)? = opened.current {
            control.end(withProcess: configuration.endsWithProcess)
        }
        if !configuration.endsWithProcess { await eventLoop.shutdown() }
    }

    /// The ledger and the invoker, once they are there.
    /// - Throws: ``HomeError`` `ledger` if the ledger cannot be opened, `notRunning`, `cancelled`.
    func openedControl() async throws(HomeError) -> Control {
        try requireRunning()
        guard let result = await opened.value() else {
            throw HomeError(.cancelled, "the wait for the ledger was cancelled")
        }
        return try result.get()
    }

    func requireRunning() throws(HomeError) {
        guard phase.withLock({ $0 }) == .running else { throw .notRunning }
    }

    // MARK: Links

    /// Applies the states of a link to the model of the home, and reopens a channel that closed for a
    /// temporary reason.
    private func watchLink(of channel: any CommunicationChannel) async {
        var pauses = RestartPauses()
        var generator = SystemRandomNumberGenerator()
        for await state in channel.linkStates() {
            // Before readers learn of the loss: what they send then must not count as heard.
            if !state.isConnected { forgetReplay(over: channel) }
            live.link(of: channel.id, is: state)
            if state.isConnected {
                pauses.restart()
                unopened.withLock { $0[channel.id] = nil }
            }
            guard case .lost(let error, retryIn: nil) = state, mayPass(error),
                hearings.withLock({ $0[channel.id] != nil })
            else { continue }
            // A cancelled sleep ends the watching.
            do { try await Task.sleep(for: pauses.next(using: &generator)) } catch { return }
            await reopen(channel)
        }
    }

    private func mayPass(_ error: CommunicationError) -> Bool {
        error.code != .credentialsRefused && error.code != .closed
    }

    private func reopen(_ channel: any CommunicationChannel) async {
        do throws(CommunicationError) {
            try await channel.open()
        } catch {
            // The next state of the link tells it.
        }
    }
}

/// Runs a home for as long as `body` does.
///
/// ```swift
/// try await withHome("home-1", at: "mqtt://127.0.0.1:1883") { home in
///     for device in try await home.devices() { print(device.name) }
/// }
/// ```
/// - Parameters:
///   - home: the home's id.
///   - broker: `mqtt://host[:port]` on this machine, or `mqtts://host[:port]` anywhere.
///   - ledger: where its commands are kept.
///   - body: what is done with the home.
/// - Throws: ``HomeError`` `configuration` for a home or broker that is not valid, and what `body`
///   throws.
public func withHome<Value>(
    _ home: String, at broker: String, ledger: LedgerLocation = .standard,
    _ body: (Home) async throws -> Value
) async throws -> Value {
    try await withHome(HomeConfiguration(home: home, broker: broker, ledger: ledger), body)
}

/// Runs a home for as long as `body` does.
/// - Throws: ``HomeError`` `configuration`, and what `body` throws.
public func withHome<Value>(
    _ configuration: HomeConfiguration, _ body: (Home) async throws -> Value
) async throws -> Value {
    let home = try Home(configuration)
    return try await home.whileRunning { try await body(home) }
}
