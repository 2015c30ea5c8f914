private import Glibc
private import Synchronization

/// A running mosquitto. A thread reads its log until it ends, then collects its exit status.
final class MosquittoProcess: Sendable {
    private enum State {
        case running([CheckedContinuation<Void, Never>])
        case exited
    }

    private let processID: pid_t
    private let state = Mutex(State.running([]))

    private init(processID: pid_t) {
        self.processID = processID
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
            if case .running = state { kill(processID, number) }
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
            let (processID, log) = try spawn(configuration)
            let process = MosquittoProcess(processID: processID)
            var text = ""
            var isUp = false
            while let part = readText(log) {
                guard !isUp else { continue }
                text += part
                isUp = text.contains(" running\n")
                if isUp { continuation.resume(returning: process) }
            }
            close(log)
            process.collect()
            if !isUp { continuation.resume(throwing: TestSupportError("mosquitto ended: \(text)")) }
        } catch {
            continuation.resume(throwing: error)
        }
    }

    private func collect() {
        var information = siginfo_t()
        waitid(P_PID, id_t(processID), &information, WEXITED | WNOWAIT)
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            var status: Int32 = 0
            waitpid(processID, &status, 0)
            guard case .running(let waiters) = state else { return [] }
            state = .exited
            return waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// `setpriv` makes the broker end with the thread that started it, whatever becomes of the tests.
    private static func spawn(_ configuration: String) throws(TestSupportError) -> (pid_t, Int32) {
        var pipes: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &pipes) == 0 else { throw TestSupportError("no pipe") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipes[1], STDERR_FILENO)
        // Threads of the cooperative pool block signals, and a child would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var nothing = sigset_t()
        sigemptyset(&nothing)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments = ["setpriv", "--pdeathsig", "KILL", "mosquitto", "-c", configuration]
        var strings = arguments.map { strdup($0) } + [nil]
        defer { for string in strings { free(string) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [
            strdup("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"), nil,
        ]
        defer { for string in environment { free(string) } }
        var processID = pid_t()
        let code = posix_spawnp(
            &processID, "setpriv", &actions, &attributes, &strings, &environment)
        close(pipes[1])
        guard code == 0 else {
            close(pipes[0])
            throw TestSupportError("setpriv or mosquitto cannot be started: errno \(code)")
        }
        return (processID, pipes[0])
    }

    private static func readText(_ descriptor: Int32) -> String? {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 1) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return nil }
            return String(
                decoding: UnsafeRawBufferPointer(rebasing: buffer[..<count]), as: UTF8.self)
        }
    }
}
