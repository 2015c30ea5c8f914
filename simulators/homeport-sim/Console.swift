import Glibc

/// Lines for whoever watches the fleet, on standard error.
enum Console {
    /// Writes one line at once, whole.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        // A closed standard error is no reason to end a fleet.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
