import Glibc
import ServiceLifecycle
import UnixSignals

/// Once a clean end has begun, an interrupt kills.
///
/// Signals are not simply given back to the system then: who still listens for the first one would
/// take the second.
struct SecondInterrupt: Service {
    private let interrupts: AsyncStream<UnixSignalsSequence>
    private let arm: AsyncStream<UnixSignalsSequence>.Continuation

    init() {
        (interrupts, arm) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Waits for the clean end and listens from then on; returns, because the others end after this.
    func run() async throws {
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            return
        }
        arm.yield(await UnixSignalsSequence(trapping: .sigint, .sigterm))
        arm.finish()
        Console.say("ending; an interrupt now ends it at once")
    }

    /// Runs a body in which this service has its place.
    func guarding(_ body: () async throws -> Void) async rethrows {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await armed in interrupts {
                    for await interrupt in armed { Self.die(of: interrupt.rawValue) }
                }
            }
            try await body()
            group.cancelAll()
        }
    }

    private static func die(of number: CInt) {
        signal(number, SIG_DFL)
        var unblocked = sigset_t()
        sigaddset(&unblocked, number)
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
        raise(number)
    }
}
