import FoundationEssentials
import Glibc

/// Starts this program once more, for a part of the fleet's homes or a run of its own.
enum WorkerProcess {
    /// Starts it with the words of our own command line and the number of its part.
    ///
    /// It has a process group of its own, so that Ctrl-C reaches the first process alone, which has all of them end in
    /// order. Its standard input is its end of the connection to us: that breaks when we end, however that is.
    /// - Parameter socket: its end of the connection.
    /// - Returns: its process number.
    /// - Throws: ``WorkerNotStarted``.
    static func start(number: Int, on socket: Int32) throws(WorkerNotStarted) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
        return try start(CommandLine.arguments + ["--worker", "\(number)"], &actions)
    }

    /// Starts it with other words, without output, in a process group of its own: Ctrl-C reaches the first process alone.
    /// - Parameter input: its standard input.
    /// - Returns: its process number.
    /// - Throws: ``WorkerNotStarted``.
    static func startSilently(
        _ words: [String], reading input: Int32
    ) throws(WorkerNotStarted) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        return try start(words, &actions)
    }

    private static func start(
        _ words: [String], _ actions: inout posix_spawn_file_actions_t
    ) throws(WorkerNotStarted) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of tasks block signals, and a child would inherit that.
        var nothing = sigset_t()
        sigemptyset(&nothing)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETPGROUP))
        var arguments = words.map { strdup($0) } + [nil]
        let variables = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        var environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var process = pid_t()
        let code = posix_spawn(
            &process, "/proc/self/exe", &actions, &attributes, &arguments, &environment)
        guard code == 0 else { throw WorkerNotStarted(error: code) }
        return process
    }

    /// Waits for the end of a process that closes its connection as it ends.
    static func end(of process: pid_t) -> WorkerEnd {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return .status(-1) }
        }
        return status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
    }
}

/// How a process ended.
enum WorkerEnd: Sendable, CustomStringConvertible {
    case status(Int32)
    case signal(Int32)

    var description: String {
        switch self {
        case .status(let number): "ended with status \(number)"
        case .signal(let number): "was ended by signal \(number)"
        }
    }
}

/// A process of the fleet could not be started.
struct WorkerNotStarted: Error, CustomStringConvertible {
    /// As `errno` has it.
    let error: Int32

    var description: String {
        "another process of the fleet cannot be started: \(String(cString: strerror(error)))"
    }
}
