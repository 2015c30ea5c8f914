import Basics
import Dispatch
import Glibc

/// A run in a process of its own that ends with this one, however that ends.
///
/// Its standard input is a socket from which nothing comes. Where our end of it closes, the run ends in order (`--tied`).
enum TrialProcess {
    /// Runs this program once more, without output, and waits for its end.
    ///
    /// Where the task is cancelled, the process is told to end, and its end is waited for all the same.
    /// - Parameter words: the program's name, and its arguments.
    /// - Throws: ``WorkerNotStarted``.
    static func run(_ words: [String]) async throws -> WorkerEnd {
        let tie = try ProcessTie()
        defer { tie.cut() }
        let process = try WorkerProcess.startSilently(words + ["--tied"], reading: tie.input)
        tie.handedOver()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                DispatchQueue(label: "trial").async {
                    waiter.resume(returning: WorkerProcess.end(of: process))
                }
            }
        } onCancel: {
            tie.cut()
        }
    }

    /// Has this process end in order once nobody holds the other end of its standard input any more.
    static func endWithInput() {
        DispatchQueue(label: "input").async {
            var byte: UInt8 = 0
            while true {
                let count = read(STDIN_FILENO, &byte, 1)
                guard count > 0 || (count < 0 && errno == EINTR) else { break }
            }
            kill(getpid(), SIGTERM)
        }
    }
}

/// The socket that ties another process to this one.
private final class ProcessTie: Sendable {
    /// What is open here: the number of a descriptor that is closed belongs to somebody else.
    private struct Ends {
        var input: Int32?
        var output: Int32?
    }

    /// What the other process is to have as its standard input.
    let input: Int32
    private let ends: Guarded<Ends>

    /// - Throws: ``WorkerNotStarted`` where there can be no socket.
    init() throws(WorkerNotStarted) {
        var numbers: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &numbers) == 0 else {
            throw WorkerNotStarted(error: errno)
        }
        input = numbers[0]
        ends = Guarded(Ends(input: numbers[0], output: numbers[1]))
    }

    deinit { cut() }

    /// Notes that the other process has its end.
    func handedOver() {
        ends.withLock { ends in
            if let input = ends.input { close(input) }
            ends.input = nil
        }
    }

    /// Closes it here, so that the other process ends.
    func cut() {
        handedOver()
        ends.withLock { ends in
            if let output = ends.output { close(output) }
            ends.output = nil
        }
    }
}
