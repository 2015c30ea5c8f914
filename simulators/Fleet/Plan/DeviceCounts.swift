/// How many devices of each kind live in one home.
package struct DeviceCounts: Hashable, Sendable {
    /// Sweeping robots.
    package var sweepers: Int
    /// Pool robots.
    package var pools: Int
    /// Energy stores.
    package var stores: Int

    package init(sweepers: Int = 0, pools: Int = 0, stores: Int = 0) {
        self.sweepers = sweepers
        self.pools = pools
        self.stores = stores
    }

    /// The devices of a home by default.
    package static let usual = DeviceCounts(sweepers: 3, pools: 2, stores: 2)

    /// All devices of one home.
    package var total: Int { sweepers + pools + stores }
}
