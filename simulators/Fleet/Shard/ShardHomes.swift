import DeviceDomain
import DeviceSimulation

/// The homes of a shard. Its devices are numbered through, home after home, as in the plan.
struct ShardHomes {
    private struct Place {
        let home: Int
        let device: Int
    }

    private var homes: [HomeWorld] = []
    /// For each home, the number of its first device.
    private var firstDevices: [Int] = []
    /// Where each device is.
    private var places: [Place] = []

    /// Homes of devices at their start.
    /// - Parameter devices: those of the plan, in its order.
    init(_ devices: [SimulatedDevice], of plan: [PlannedDevice], startedAt world: Timestamp) {
        var rest = devices[...]
        while let first = rest.first {
            let home = first.identity.home
            let members = rest.prefix { $0.identity.home == home }
            rest = rest.dropFirst(members.count)
            firstDevices.append(places.count)
            let planned = plan[places.count]
            let household = Household(
                home: home, seed: planned.homeSeed, region: planned.regionSeed, at: world)
            for device in 0..<members.count {
                places.append(Place(home: homes.count, device: device))
            }
            homes.append(HomeWorld(Array(members), in: household, at: world))
        }
    }

    /// A device by its number.
    subscript(index: Int) -> SimulatedDevice {
        homes[places[index].home].devices[places[index].device]
    }

    /// What a device has to do.
    typealias Output = (device: Int, actions: [DeviceAction])

    /// Handles an input of a device.
    /// - Returns: what the devices with these numbers have to do.
    mutating func handle(
        _ input: DeviceInput, of index: Int, at moment: DeviceMoment
    ) -> [Output] {
        let place = places[index]
        let first = firstDevices[place.home]
        return homes[place.home].handle(input, of: place.device, at: moment)
            .map { (first + $0.place, $0.actions) }
    }

    /// Lets a home go on, and its devices do what is due.
    /// - Returns: what the devices with these numbers have to do.
    mutating func wake(_ home: Int, at moment: DeviceMoment) -> [Output] {
        let first = firstDevices[home]
        return homes[home].wake(at: moment).map { (first + $0.place, $0.actions) }
    }

    /// The number of the home of a device.
    func home(of index: Int) -> Int { places[index].home }

    /// What was found of the invariants in all homes.
    var invariants: InvariantRecord {
        homes.reduce(into: InvariantRecord()) { $0.add($1.invariants) }
    }

    /// Takes the violations that are to be told of a home.
    mutating func takeViolations(of home: Int) -> [InvariantViolation] {
        homes[home].takeViolations()
    }

    /// How many there are.
    var count: Int { homes.count }

    /// The whole second to which the world of a home has come.
    func reached(by home: Int) -> Timestamp { homes[home].reached }

    /// The next instant of any device; `nil` without devices.
    var nextInstant: Timestamp? { homes.map(\.nextInstant).min() }

    /// When a home is to be woken at the latest (monotonic clock).
    func nextWake(of home: Int) -> Duration? { homes[home].nextWake }

    /// The moment at which a device is started anew.
    func restartMoment(of index: Int, at moment: DeviceMoment) -> DeviceMoment {
        homes[places[index].home].restartMoment(of: places[index].device, at: moment)
    }

    /// Puts a device that was started anew in the place of its former self.
    mutating func replace(_ index: Int, with device: SimulatedDevice) {
        homes[places[index].home].replace(places[index].device, with: device)
    }
}
