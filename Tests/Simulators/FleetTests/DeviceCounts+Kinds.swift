import DeviceDomain

@testable import Fleet

extension DeviceCounts {
    /// So many sweeping robots, pool robots and energy stores.
    init(sweepers: Int = 0, pools: Int = 0, stores: Int = 0) {
        self.init([.sweepingRobot: sweepers, .poolRobot: pools, .energyStore: stores])
    }
}
