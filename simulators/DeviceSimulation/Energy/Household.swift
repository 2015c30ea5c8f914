import Basics
package import DeviceDomain
import DeviceMessages

/// The energy of one home: one roof, one load, one meter, and all of its stores.
///
/// All stores are simulated together, because the power that one of them takes is not there for
/// the others. It is a value: the owner of the devices passes it to each store with its input
/// (``SimulatedDevice/handle(_:at:sharing:)``).
///
/// Simulating it costs time in proportion to the number of stores; that is done at each sampling instant
/// and at most once a second between, not for each store.
package struct Household: Hashable, Sendable {
    /// What the home draws and its roof gives.
    let profile: HomeProfile
    /// The stores, in the order of their names.
    private(set) var stores: [StoreUnit] = []
    /// Whether the home was asked to leave the grid.
    var isIslanded = false
    /// The stores at which the grid failed: it is gone until none is left.
    private var outages: Set<DeviceID> = []
    /// Whether the island had to shed load since it began.
    var isSheddingLoad = false
    /// The power of the roof, in W; off the grid only the part that is used.
    var pvW = 0.0
    /// The power that the home draws, in W; off the grid only the part that is supplied.
    var loadW = 0.0
    /// The time up to which the home was simulated.
    private(set) var world: Timestamp
    /// The meter at the last sampling instant, which all stores report.
    private var lastReading: MeterReading?

    /// The longest time that is integrated with one power, in seconds.
    private static let longestStep = 10.0

    /// A home without a store.
    /// - Parameters:
    ///   - home: its name, which weather and habits derive from.
    ///   - seed: the same for every store of the home.
    package init(home: HomeID, seed: UInt64, at world: Timestamp) {
        var generator = SeededGenerator(seed: seed, home: home, purpose: "household")
        self.init(profile: HomeProfile(using: &generator), at: world)
    }

    init(profile: HomeProfile, at world: Timestamp) {
        self.profile = profile
        self.world = world
    }

    /// The store of a device.
    /// - Precondition: the store has been added.
    subscript(device: DeviceID) -> StoreUnit {
        get { stores[index(of: device)] }
        set { stores[index(of: device)] = newValue }
    }

    private func index(of device: DeviceID) -> Int {
        guard let index = stores.index(of: device) else {
            preconditionFailure("\(device) is no store of this home")
        }
        return index
    }

    /// The same home with one of its stores alone.
    /// - Precondition: the store has been added.
    func part(of device: DeviceID) -> Household {
        var part = self
        part.stores = [self[device]]
        // One is enough for a home that is off the grid, and all of them are once for each store.
        part.outages = Set(outages.prefix(1))
        part.lastReading = nil
        return part
    }

    /// Adds a store, or replaces the one of the same name.
    mutating func add(_ store: StoreUnit) {
        let place = stores.place(of: store.device)
        if stores.index(of: store.device) != nil {
            stores[place] = store
        } else {
            stores.insert(store, at: place)
        }
        lastReading = nil
        observe(at: world)
    }

    /// Adds the stores of a household that was made for one device alone.
    ///
    /// If one of its stores was recorded off the grid, the whole home is off the grid.
    mutating func merge(_ other: Household) {
        isIslanded = isIslanded || other.isIslanded
        outages.formUnion(other.outages)
        isSheddingLoad = isSheddingLoad || other.isSheddingLoad
        takeBack(other)
    }

    /// Takes the stores of a household that was made for one device alone, which was here before.
    mutating func takeBack(_ other: Household) {
        for store in other.stores { add(store) }
    }

    /// Simulates the home up to `end`, with a separate step for every change of power.
    ///
    /// At most ``SimulatedDevice/longestPause`` is simulated; after a clock was set back, nothing is.
    mutating func advance(to end: Timestamp) {
        var rest = min(max(end.since(world).seconds, 0), SimulatedDevice.longestPause.seconds)
        while rest > 0 {
            observe(at: end.advanced(by: .milliseconds(-Int(rest * 1000))))
            let limits = stores.map { $0.secondsToLimit(isOnGrid: isOnGrid) }
            let step = min(rest, Self.longestStep, limits.min() ?? .infinity)
            for index in stores.indices { stores[index].integrate(over: step) }
            rest -= step
        }
        world = end
        observe(at: end)
    }

    /// Whether a store has sampled this instant already.
    func hasReading(at instant: Timestamp) -> Bool { lastReading?.at == instant }

    /// The meter at a sampling instant: the same for every store, even if another store has moved
    /// the time on since.
    mutating func reading(at instant: Timestamp) -> MeterReading {
        if let lastReading, hasReading(at: instant) { return lastReading }
        if world < instant { advance(to: instant) }
        let reading = MeterReading(of: self, at: instant)
        lastReading = reading
        return reading
    }

    /// The stores' powers are set by ``dispatch(hour:)``, which changes them one by one.
    mutating func setPower(of index: Int, _ wanted: Double) {
        stores[index].setPower(wanted, isOnGrid: isOnGrid)
    }
}

// The grid.
extension Household {
    /// Whether the home is on the grid.
    var isOnGrid: Bool { !isIslanded && outages.isEmpty }

    /// Whether the home is off the grid only because the grid failed.
    var hasOutage: Bool { !isIslanded && !outages.isEmpty }

    /// Takes the home off the grid, or back as soon as there is one.
    mutating func setIsland(_ isIsland: Bool) {
        changeGrid { $0.isIslanded = isIsland }
    }

    /// Lets the grid fail at a store, or come back.
    mutating func setOutage(_ isOut: Bool, at device: DeviceID) {
        changeGrid { home in
            if isOut { home.outages.insert(device) } else { home.outages.remove(device) }
        }
    }

    /// All stores of the home learn of a change; off the grid, transfers end.
    private mutating func changeGrid(_ change: (inout Household) -> Void) {
        let wasOnGrid = isOnGrid
        change(&self)
        guard isOnGrid != wasOnGrid else { return }
        isSheddingLoad = false
        for index in stores.indices {
            stores[index].occurrences.append(
                .event(isOnGrid ? .gridRestored : .gridLost, detail: [:]))
            guard !isOnGrid, stores[index].transfer != nil else { continue }
            stores[index].transfer = nil
            stores[index].occurrences.append(
                .actionEnded(.failed(.notReady, message: "the home was cut off the grid")))
        }
    }
}
