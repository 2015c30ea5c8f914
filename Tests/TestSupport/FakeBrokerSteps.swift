private import Dispatch

/// Steps that one side allows and the other, on a thread of its own, takes one at a time.
final class FakeBrokerSteps: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func add() {
        semaphore.signal()
    }

    /// Blocks for at most 20 s.
    func take() throws(TestSupportError) {
        guard semaphore.wait(timeout: .now() + .seconds(20)) == .success else {
            throw TestSupportError("nobody let the script go on")
        }
    }
}
