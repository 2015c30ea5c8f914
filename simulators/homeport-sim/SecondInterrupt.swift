import Glibc
import ServiceLifecycle
import TerminalOutput
import UnixSignals

/// Ends the process at the second interrupt, when a clean end is already under way.
///
/// Restoring the default signal handlers would not do: the service group still traps the signals and
/// would consume the second one.
struct SecondInterrupt: Service {
    /// A clean end that takes longer is reported.
    private static let silentShutdown = Duration.seconds(1)

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
        async let report: Void = reportSlowShutdown()
        for await interrupt in interrupts { endProcess(by: interrupt.rawValue) }
        await report
    }

    private static func reportSlowShutdown() async {
        do {
            try await Task.sleep(for: silentShutdown)
        } catch {
            return
        }
        Console.simulator.announce("still shutting down; interrupt again to end at once")
    }

    private static func endProcess(by number: CInt) {
        signal(number, SIG_DFL)
        var unblocked = sigset_t()
        sigaddset(&unblocked, number)
        pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
        raise(number)
    }
}
