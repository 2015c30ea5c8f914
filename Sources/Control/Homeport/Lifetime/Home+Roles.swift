internal import DeviceControl
internal import Persistence

extension Home {
    /// Runs `body` as the only process of the ledger that has a role in this home, such as carrying out
    /// the commands of another system, which two of them would send twice.
    /// - Parameters:
    ///   - role: small letters and hyphens.
    ///   - refusal: is thrown where another process has the role.
    /// - Throws: ``HomeError`` `ledger`, `notRunning`; else what `body` throws.
    package func withRole<Value>(
        _ role: String, orThrow refusal: @autoclosure () -> any Error,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let control = try await openedControl()
        let held: HeldRole?
        do {
            held = try control.take("\(role)-\(id)")
        } catch {
            throw HomeError(error)
        }
        guard let held else { throw refusal() }
        defer { held.release() }
        return try await body()
    }
}
