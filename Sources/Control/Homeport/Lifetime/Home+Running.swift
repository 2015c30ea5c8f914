public import ServiceLifecycle

extension Home: Service {
    /// Runs the home until the task is cancelled or a graceful shutdown begins; to be called once.
    /// At the end what is under way is sent, for two seconds at most, and every stream ends.
    /// - Throws: ``HomeError`` `notRunning` if it ran before.
    public func run() async throws {
        try await lifetime.run(commands, configuration, on: eventLoop)
    }

    /// Runs the home for as long as `body` does.
    public func whileRunning<Value>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await lifetime.whileRunning(commands, configuration, on: eventLoop, body)
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
