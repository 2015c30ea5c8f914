import Glibc

/// The three streams with which a program is started.
package enum StandardStreams {
    /// Keeps the numbers of streams that were closed at the start (`>&-`) from what is opened later: a result would be
    /// written into a database or to a broker. To be called before anything is opened. Writing to such a stream fails.
    package static func reserve() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(stream, F_GETFD) < 0 {
            // It gets the lowest number that is free, which is that of the stream.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
