private import Glibc

/// When to have the system make room for more descriptors. A value.
///
/// The table of a process grows when a descriptor does not fit into it. Where there are several threads,
/// the one that needs it then waits for every processor (Linux, `expand_fdtable` in `fs/file.c`): for 10
/// to 20 ms, six times on the way to 10,000 connections, while a loop's other connections wait too.
struct DescriptorReserve {
    private static let growth = 16

    /// How many the table holds; a process begins with 64.
    private var room = 64

    /// A descriptor was opened. Returns how many shall have room from now on, if that is to change: well
    /// before the last one is taken.
    mutating func opened(_ descriptor: Int32) -> Int? {
        guard Int(descriptor) >= room / 2 else { return nil }
        while Int(descriptor) >= room / 2 { room *= Self.growth }
        return room
    }

    /// Makes room for so many descriptors, at most for those that the process may have. Waits for it.
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
