private import Glibc

/// Decides when to enlarge the process's descriptor table in advance. A value type.
///
/// The kernel enlarges the table when a new descriptor does not fit. In a process with several threads the
/// calling thread then waits for every processor (Linux, `expand_fdtable` in `fs/file.c`). That takes 10 to
/// 20 ms, six times on the way to 10,000 connections, during which the loop serves no connection.
struct DescriptorReserve {
    private static let growth = 16

    /// The size of the table; a process starts with 64.
    private var room = 64

    /// A descriptor was opened. Returns the new size if the table should be enlarged, well before it is
    /// full.
    mutating func opened(_ descriptor: Int32) -> Int? {
        guard Int(descriptor) >= room / 2 else { return nil }
        while Int(descriptor) >= room / 2 { room *= Self.growth }
        return room
    }

    /// Enlarges the table to this size, at most to the process's limit. Blocks.
    static func makeRoom(for count: Int) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let last = Int32(clamping: min(UInt64(count), UInt64(limit.rlim_cur))) - 1
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, last)
        if duplicate >= 0 { close(duplicate) }
    }
}
