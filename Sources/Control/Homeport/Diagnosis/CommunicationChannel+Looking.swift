internal import Connectivity
internal import DeviceDomain

extension CommunicationChannel {
    /// Connects, reads what is retained of a home, looks at it, and closes.
    /// - Throws: why nothing could be read.
    func look<Value: Sendable>(
        at home: HomeID, _ body: @Sendable () async -> Value
    ) async throws(CommunicationError) -> Value {
        let observation = observe(home, .everyDeviceWithoutTelemetry) { _ in }
        let seen: Result<Value, CommunicationError>
        do throws(CommunicationError) {
            try await open()
            _ = try await replay(home, .everyDeviceWithoutTelemetry) { [] }
            seen = .success(await body())
        } catch {
            seen = .failure(error)
        }
        observation.cancel()
        await close()
        return try seen.get()
    }
}
