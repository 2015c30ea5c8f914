internal import DeviceDomain

/// The names of members that a device has used, up to a number: a device that invents a new name for every
/// message would fill every reader that keeps something for each name (PROTOCOL section 2, limits).
struct HeardNames: Hashable, Sendable {
    /// The most names in the state, and in the values of telemetry.
    static let limits = (state: 128, telemetry: 64)

    /// The first names of the device.
    private(set) var names: Set<String> = []
    /// The most members of one message that were left out.
    private(set) var leftOut = 0

    /// Takes the names of a message in, and leaves out what is beyond the limit.
    /// - Returns: whether a name is new.
    mutating func admit(_ members: inout JSONObject, limit: Int) -> Bool {
        let unknown = members.keys.filter { !names.contains($0) }
        guard !unknown.isEmpty else { return false }
        // In order, so that two readers of the same messages keep the same.
        let admitted = unknown.sorted().prefix(limit - names.count)
        names.formUnion(admitted)
        if admitted.count < unknown.count {
            leftOut = max(leftOut, unknown.count - admitted.count)
            members = members.filter { names.contains($0.key) }
        }
        return !admitted.isEmpty
    }

    /// Shares the storage of an equal set.
    mutating func share(_ names: Set<String>) { self.names = names }

    /// What is wrong with the device's names; `nil` for nothing.
    func problem(limit: Int) -> String? {
        guard leftOut > 0 else { return nil }
        return
            "\(leftOut) members of a message were left out: only the first \(limit) names of a device "
            + "are kept"
    }
}
