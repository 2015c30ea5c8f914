private import Glibc

/// A program that a test has started. Its standard input, output and errors are one socket. It ends with
/// the thread that started it, whatever becomes of the tests.
struct SpawnedProcess: Sendable {
    let processID: Int32
    private let socket: Int32

    init(_ arguments: [String]) throws(TestSupportError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw TestSupportError("no pipe") }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_adddup2(&actions, ends[1], descriptor)
        }
        // Threads of the cooperative pool block signals, and a child would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var nothing = sigset_t()
        sigemptyset(&nothing)
        posix_spawnattr_setsigmask(&attributes, &nothing)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var strings = (["setpriv", "--pdeathsig", "KILL"] + arguments).map { strdup($0) } + [nil]
        var environment = [strdup("PATH=\(Self.path)"), nil]
        defer { for string in strings + environment { free(string) } }
        var processID = pid_t()
        let code = posix_spawnp(
            &processID, "setpriv", &actions, &attributes, &strings, &environment)
        guard code == 0 else {
            close(ends[0])
            throw TestSupportError("\(arguments[0]) cannot be started: errno \(code)")
        }
        self.processID = processID
        socket = ends[0]
    }

    private static let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    /// The next bytes that the program wrote; nil at the end.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(socket, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Writes to the program's standard input.
    func write(_ bytes: [UInt8]) {
        _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Waits for the end and returns the exit status, -1 after a signal. Once only.
    func collect() -> Int32 {
        var status: Int32 = 0
        waitpid(processID, &status, 0)
        close(socket)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }
}
