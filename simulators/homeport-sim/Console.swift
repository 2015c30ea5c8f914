import Glibc

/// Lines for the user on standard error.
enum Console {
    /// Writes one line with a single system call.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        // A closed standard error must not end the fleet.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
