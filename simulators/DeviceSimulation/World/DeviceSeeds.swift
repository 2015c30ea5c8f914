package import Basics
package import DeviceDomain

/// What the randomness of a simulated device derives from.
package struct DeviceSeeds: Hashable, Sendable {
    /// For what belongs to the device alone.
    package let device: UInt64
    /// For what belongs to its home: the same for all devices of a fleet.
    package let home: UInt64
    /// For the weather: the same for all homes of a region.
    package let region: UInt64

    /// - Parameter region: `nil` for the same as of the home.
    package init(device: UInt64, home: UInt64, region: UInt64? = nil) {
        self.device = device
        self.home = home
        self.region = region ?? home
    }
}

extension SeededGenerator {
    /// A stream of its own for one purpose of one device.
    package init(seed: DeviceSeeds, identity: DeviceIdentity, purpose: String) {
        self.init(seed: seed.device, identity: identity, purpose: purpose)
    }

    /// A stream of its own for one purpose of one home.
    package init(seed: DeviceSeeds, home: HomeID, purpose: String) {
        self.init(seed: seed.home, home: home, purpose: purpose)
    }
}
