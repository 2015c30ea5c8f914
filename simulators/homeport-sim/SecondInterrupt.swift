import Glibc
import ServiceLifecycle
import UnixSignals

/// Once a clean end has begun, an interrupt kills.
///
/// Signals are not simply given back to the system then: who still listens for the first one would
/// take the second.
struct SecondInterrupt: Service {
    /// An end that takes longer is worth a word.
    private static let patience = Duration.seconds(1)

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
    }

    /// Runs a body in which this service has its place.
    func guarding(_ body: () async throws -> Void) async rethrows {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await armed in interrupts { await Self.watch(armed) }
            }
            try await body()
            group.cancelAll()
        }
    }

    private static func watch(_ interrupts: UnixSignalsSequence) async {
        async let word: Void = sayAfterAWhile()
        for await interrupt in interrupts { die(of: interrupt.rawValue) }
        await word
    }

    private static func sayAfterAWhile() async {
        do {
            try await Task.sleep(for: patience)
        } catch {
            return
        }
        Console.say("the end takes its time; an interrupt ends it at once")
    }

    private static func die(of number: CInt) {
        signal(number, SIG_DFL)
        var unblocked = sigset_t()
        sigaddset(&unblocked, number)
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
        raise(number)
    }
}
