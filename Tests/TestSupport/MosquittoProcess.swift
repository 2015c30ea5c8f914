internal import Basics
private import Glibc
private import MQTTClient

/// Runs `body` beside a mosquitto that reads a configuration file, whose process it gets.
package func withMosquitto<Value>(
    configuration path: String, body: (Int32) async throws -> Value
) async throws -> Value {
    let process = try await MosquittoProcess.launch(path)
    do {
        let value = try await body(process.processID)
        process.signal(SIGTERM)
        await process.waitForExit()
        return value
    } catch {
        process.signal(SIGTERM)
        await process.waitForExit()
        throw error
    }
}

/// A running mosquitto. A thread reads its log until it ends, then collects its exit status.
final class MosquittoProcess: Sendable {
    private enum State {
        case running([CheckedContinuation<Void, Never>])
        case exited
    }

    /// The identifier of the process.
    var processID: Int32 { child.processID }

    private let child: SpawnedProcess
    /// A thread that kills meets the one that collects at this lock again and again.
    private let state = Guarded(State.running([]))

    private init(_ child: SpawnedProcess) {
        self.child = child
    }

    /// Starts mosquitto and returns once it listens; throws with its log if it ends instead.
    static func launch(_ configuration: String) async throws -> MosquittoProcess {
        try await withCheckedThrowingContinuation { continuation in
            detachThread { run(configuration, continuation) }
        }
    }

    func signal(_ number: Int32) {
        state.withLock { state in
            // The identifier is ours until the exit status is collected, which needs this lock.
            if case .running = state { kill(child.processID, number) }
        }
    }

    func waitForExit() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard case .running(let waiters) = state else { return true }
                state = .running(waiters + [continuation])
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    private static func run(
        _ configuration: String, _ continuation: CheckedContinuation<MosquittoProcess, any Error>
    ) {
        do throws(TestSupportError) {
            let child = try SpawnedProcess(["mosquitto", "-c", configuration])
            let process = MosquittoProcess(child)
            var text = ""
            var isUp = false
            while let part = child.read() {
                guard !isUp else { continue }
                text += String(decoding: part, as: UTF8.self)
                isUp = text.contains(" running\n")
                if isUp { continuation.resume(returning: process) }
            }
            process.collect()
            if !isUp { continuation.resume(throwing: TestSupportError("mosquitto ended: \(text)")) }
        } catch {
            continuation.resume(throwing: error)
        }
    }

    private func collect() {
        var information = siginfo_t()
        waitid(P_PID, id_t(child.processID), &information, WEXITED | WNOWAIT)
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            _ = child.collect()
            guard case .running(let waiters) = state else { return [] }
            state = .exited
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }
}
