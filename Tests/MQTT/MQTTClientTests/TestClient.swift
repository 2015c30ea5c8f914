import MQTTClient
import TestSupport

/// Runs `body` with a client that is connected to the broker on that port.
func withClient<Value>(
    _ port: UInt16, id: String = "test", clock: LoopClock = .system,
    configure: (inout MQTTConfiguration) -> Void = { _ in },
    _ body: (MQTTClient) async throws -> Value
) async throws -> Value {
    try await withLoop(clock: clock) { loop in
        var configuration = try MQTTConfiguration.test(port, id: id)
        configuration.reconnect.initial = .milliseconds(1)
        configure(&configuration)
        return try await MQTTClient.withConnection(
            configuration: configuration, eventLoop: loop, body)
    }
}

/// Runs `call` in a task, cancels it when `ready` returns, and returns how it ended.
func cancelled<Value: Sendable>(
    _ call: @escaping @Sendable () async throws -> Value, when ready: () async throws -> Void
) async throws -> Result<Value, any Error> {
    try await withThrowingTaskGroup(of: Result<Value, any Error>.self) { group in
        group.addTask {
            do { return .success(try await call()) } catch { return .failure(error) }
        }
        try await ready()
        group.cancelAll()
        guard let result = try await group.next() else { throw TestSupportError("no task ended") }
        return result
    }
}

extension Result where Failure == any Error {
    /// The code of the client's error, if the call ended with one.
    var code: MQTTError.Code? {
        if case .failure(let error) = self { (error as? MQTTError)?.code } else { nil }
    }
}

extension MQTTClient {
    /// Waits until the client's state matches.
    nonisolated func reached(_ isReached: (MQTTConnectionState) -> Bool) async {
        for await state in connectionEvents where isReached(state) { return }
    }

    /// Waits until a disconnect is under way.
    nonisolated func closing() async {
        await reached { if case .closing = $0 { true } else { false } }
    }
}
