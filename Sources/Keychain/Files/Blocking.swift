internal import Dispatch

/// Runs what blocks away from the threads of tasks.
func blocking<Value: Sendable>(
    _ body: @escaping @Sendable () throws(KeychainError) -> Value
) async throws(KeychainError) -> Value {
    let result: Result<Value, KeychainError> = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            continuation.resume(returning: Result(catching: body))
        }
    }
    return try result.get()
}
