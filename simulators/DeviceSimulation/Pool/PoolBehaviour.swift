import Basics
package import DeviceDomain
import DeviceMessages

/// A robot that cleans a swimming pool, on a tether or from a battery.
///
/// Its world goes on in whole seconds of the world clock, whatever spans it is stepped by.
package struct PoolBehaviour: DeviceBehaviour {
    /// What never changes about it.
    let site: PoolSite

    /// What it is doing.
    var activity = PoolActivity.idle
    /// What people have set.
    var settings = PoolSettings()
    /// Where people have put it.
    var place = PoolPlace.water
    /// Who comes when it needs something.
    var owner = PoolOwner()
    /// The faults that keep it from working.
    var blockages = Blockages()
    /// Where in the pool it is.
    var drive: PoolDrive
    /// Its battery; `nil` on a tether.
    var battery: BatteryPack?
    /// Its supply; `nil` with a battery.
    var supply: PoolSupply?
    /// Its filter.
    var filter = PoolFilter()
    /// How long its tracks have run, in seconds.
    var trackSeconds = 0.0
    /// What measures the temperature.
    var thermometer: PoolThermometer
    /// The world clock of the last step.
    var now: Timestamp
    /// The controlled members as they were last compared.
    var compared = ComparedValue<PoolState>()

    /// A robot that stands on the floor of its pool, charged and with a clean filter.
    init(site: PoolSite, at world: Timestamp) {
        self.site = site
        now = world
        drive = PoolDrive(in: site)
        thermometer = PoolThermometer(inWater: true, at: world)
        battery = site.ratings.battery.map { ratings in
            let capacity = ratings.capacity.value
            let power = capacity * ratings.taperFactor.value / ratings.chargeTime.value
            return BatteryPack(capacityWh: capacity, chargerW: power)
        }
        supply = site.ratings.supply.map { _ in PoolSupply(at: world, in: site) }
    }

    package var commands: [CommandSpecification] { PoolRobot.commands }

    /// The program on its way, running or paused.
    var run: PoolRun? { activity.run }

    /// The code of what is wrong, if something is.
    var fault: String? { blockages.code ?? activity.failure?.rawValue }

    /// Whether it is in the water: in the pool, and not on a beach.
    var isInWater: Bool { place.isInPool && drive.depthM >= 0 }
}
