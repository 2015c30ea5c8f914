import DeviceDomain

/// How often a device was started, as far as its journal tells.
///
/// A count alone would repeat itself in the next journal; the world's time of the device's first
/// start in this one makes boot ids new, and the same again where the world starts at a given
/// time.
struct BootCount: Hashable, Sendable {
    /// The number of starts; 0 before the first one.
    let count: Int
    /// When the first start was (world clock).
    let since: Timestamp

    /// The boot id of this start, such as `b2-1a2b3c4d5e`.
    var id: BootID {
        let tag = String(max(since.milliseconds, 0), radix: 36)
        guard let id = BootID(rawValue: "b\(count)-\(tag)") else {
            preconditionFailure("two numbers and a dash make a boot id")
        }
        return id
    }

    /// The start after this one.
    var next: BootCount { BootCount(count: count + 1, since: since) }
}
