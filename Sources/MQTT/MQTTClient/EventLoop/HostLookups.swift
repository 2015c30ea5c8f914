/// The hosts whose addresses are being looked up, and the connections that wait for them.
struct HostLookups {
    /// Finds the addresses of a host without blocking; the answer may come on any thread.
    var find: (String, @escaping @Sendable (Result<[String], MQTTError>) -> Void) -> Void =
        HostResolver.resolve
    private var waiting: [String: Set<ConnectionTable.Reference>] = [:]

    /// Lets a connection wait for a host; whether it is the first one, for which the host has to be looked up.
    mutating func begin(_ host: String, for reference: ConnectionTable.Reference) -> Bool {
        defer { waiting[host, default: []].insert(reference) }
        return waiting[host] == nil
    }

    /// The connections that have waited for a host.
    mutating func end(_ host: String) -> Set<ConnectionTable.Reference> {
        waiting.removeValue(forKey: host) ?? []
    }
}
