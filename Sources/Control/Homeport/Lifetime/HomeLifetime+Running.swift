internal import Connectivity
internal import HomeModel
internal import MQTTClient
internal import Persistence
internal import ServiceLifecycle

extension HomeLifetime {
    /// Runs a home until it is to stop.
    /// - Throws: ``HomeError`` `notRunning` for a home that ran before.
    func run(
        _ commands: CommandSending, _ configuration: HomeConfiguration, on eventLoop: MQTTEventLoop
    ) async throws(HomeError) {
        // The ledger opens while the channels connect.
        try begin(
            configuration, sendingBy: commands.observation.factory,
            telling: commands.observation.live)
        await work(on: commands, configuration, eventLoop)
    }

    /// Runs a home for as long as `body` does.
    /// - Throws: ``HomeError`` `notRunning` for a home that ran before, and what `body` throws.
    func whileRunning<Value>(
        _ commands: CommandSending, _ configuration: HomeConfiguration,
        on eventLoop: MQTTEventLoop, _ body: () async throws -> Value
    ) async throws -> Value {
        try begin(
            configuration, sendingBy: commands.observation.factory,
            telling: commands.observation.live)
        async let working: Void = work(on: commands, configuration, eventLoop)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        requestStop()
        await working
        return try result.get()
    }

    /// Watches links, takes over what dead processes have left open where that is configured, and lets the invoker
    /// work. Then everything is closed.
    private func work(
        on commands: CommandSending, _ configuration: HomeConfiguration,
        _ eventLoop: MQTTEventLoop
    ) async {
        let (observation, adoption) = (commands.observation, commands.adoption)
        let executor = MQTTLoopTaskExecutor(eventLoop)
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for channel in observation.channels {
                    // On the loop, so that a loss is known before what comes over the next link.
                    group.addTask(executorPreference: executor) {
                        await observation.watchLink(of: channel.channel)
                    }
                }
                if observation.channels.count > 1 {
                    group.addTask {
                        await observation.rerouteUntilCancelled(commands.deviceFactory)
                    }
                }
                if configuration.sharing == nil {
                    group.addTask { await self.renewUntilCancelled(configuration.clock) }
                }
                if configuration.takesOverOpenCommands {
                    group.addTask {
                        await adoption.adoptOrphanedCommandsUntilCancelled(
                            every: configuration.takeOverPause)
                    }
                } else if hasSharedLedger, configuration.sharing == nil {
                    group.addTask { await adoption.adoptWhatOthersLeaveToOwner() }
                }
                await work(on: executor)
                group.cancelAll()
            }
        } onGracefulShutdown: {
            self.requestStop()
        }
        await close(commands.observation, configuration, eventLoop)
    }

    private func close(
        _ observation: HomeObservation, _ configuration: HomeConfiguration,
        _ eventLoop: MQTTEventLoop
    ) async {
        let storage = end()
        for channel in observation.channels { await channel.channel.close() }
        observation.live.finish()
        await storage?.end(withProcess: configuration.endsWithProcess)
        if !configuration.endsWithProcess, configuration.sharing == nil {
            await eventLoop.shutdown()
        }
    }

    /// Runs `body` as the only process of the ledger that has a role, which must be one of the home.
    func withRole<Value>(
        _ role: String, orThrow refusal: @autoclosure () -> any Error,
        _ body: () async throws -> Value
    ) async throws -> Value {
        guard let held = try await withStorage({ try $0.take(role) }) else { throw refusal() }
        defer { held.release() }
        return try await body()
    }
}
