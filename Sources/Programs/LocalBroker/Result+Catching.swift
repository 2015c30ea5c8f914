extension Result where Failure == any Error, Success: Sendable {
    /// What an asynchronous body returned or threw.
    static func catching(_ body: () async throws -> Success) async -> Result {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}
