import Basics
package import DeviceDomain
import DeviceMessages

/// A robot that cleans a swimming pool, on a tether or from a battery.
///
/// Its world goes on in whole seconds of the world clock, whatever spans it is stepped by.
package struct PoolBehaviour: DeviceBehaviour {
    /// A program on its way.
    struct Run: Hashable, Sendable {
        /// What is cleaned.
        let program: PoolRobot.Program
        /// How long it takes, in seconds.
        let total: Double
        /// How long it has run, in seconds.
        var elapsed = 0.0
        /// Whether it is an action, not the schedule's doing.
        let isAction: Bool
        /// What may stop it.
        var protection = PoolProtection()
    }

    /// What the robot is doing.
    enum Activity: Hashable, Sendable {
        /// Nothing: its motors are off.
        case idle
        /// It holds itself at the waterline for its owner, for so many seconds; reported as idle.
        case holding(seconds: Int)
        /// It cleans.
        case cleaning(Run)
        /// A program waits; its motors are off.
        case paused(Run)
        /// It comes up.
        case surfacing(PoolProtection, isAction: Bool)
        /// It has stopped itself.
        case failed(PoolFailure)
    }

    /// What never changes about it.
    let site: PoolSite

    /// What it is doing.
    var activity = Activity.idle
    /// What people have set.
    var settings = PoolSettings()
    /// Where people have put it.
    var place = PoolPlace.water
    /// How long it has waited in the water for its owner, in seconds.
    var waitedSeconds = 0
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
    var compared = ComparedValue<Controlled>()

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
    var run: Run? {
        switch activity {
        case .cleaning(let run), .paused(let run): run
        case .idle, .holding, .surfacing, .failed: nil
        }
    }

    /// The code of what is wrong, if something is.
    var fault: String? {
        if let code = blockages.code { return code }
        return if case .failed(let failure) = activity { failure.rawValue } else { nil }
    }

    /// Whether it is in the water: in the pool, and not on a beach.
    var isInWater: Bool { place.isInPool && drive.depthM >= 0 }
}
