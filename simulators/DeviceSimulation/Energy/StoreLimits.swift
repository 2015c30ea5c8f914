/// What faults leave of a store.
struct StoreLimits: Hashable, Sendable {
    /// The temperature at which a store is too hot, in °C: the upper end of the range in which
    /// BYD's HVB works.
    static let hotC = 50.0

    /// Whether a part of it is defective: then it gives and takes nothing.
    var isDefective = false
    /// The share of its power that is left while it is too hot, 0…1; `nil` while it is not.
    var heatShare: Double?

    /// The share of its nominal power that is left, 0…1.
    var powerShare: Double { isDefective ? 0 : heatShare ?? 1 }
}
