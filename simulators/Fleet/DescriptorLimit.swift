import Glibc

/// How many files and sockets this process may have open.
package enum DescriptorLimit {
    /// Descriptors beside one for each device: standard streams, the event loop, the journal, the
    /// private broker's pipes, the metrics endpoint and its scrapers.
    static let reserve = 64

    /// Raises the soft limit as far as the system allows.
    /// - Parameter files: what is open beside connections and the reserve, which has a place for one file of a journal.
    /// - Throws: ``FleetError`` if that is too few for `devices` connections.
    package static func raise(for devices: Int, and files: Int = 0) throws(FleetError) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        let allowed = Int(clamping: limit.rlim_cur)
        let needed = devices + files + reserve
        guard needed > allowed else { return }
        throw FleetError(
            .tooManyDevices,
            "\(devices) devices need \(needed) open files, this process may have "
                + "\(allowed): run fewer devices, or raise the hard limit (ulimit -Hn)")
    }
}
