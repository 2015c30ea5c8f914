import Basics
package import DeviceDomain
import DeviceMessages

/// The energy of one home: one roof, one load, one meter, and all of its stores.
///
/// All stores are simulated together, because the power that one of them takes is not there for
/// the others. It is a value: ``HomeWorld`` lends it to each store in turn.
///
/// It is simulated in whole seconds of the world clock, whenever and however often it is stepped; what is
/// between two of them is what was at the earlier one. Each second costs time in proportion to the number
/// of stores, once for all of them.
package struct Household: Hashable, Sendable {
    /// What the home is like.
    let profile: HomeProfile
    /// The stores, in the order of their names.
    private(set) var stores: [StoreUnit] = []
    /// What other devices of the home draw, in W, such as robots that charge. The owner sets it before
    /// it moves the time on.
    package var otherLoadW = 0.0
    /// Whether the home was asked to leave the grid.
    private(set) var isIslanded = false
    /// The stores at which the grid failed: it is gone until none is left.
    private var outages: Set<DeviceID> = []
    /// The way to the meter at the grid.
    var meterLink = MeterLink()
    /// What supplies the home.
    private(set) var supply = GridSupply.grid
    /// What flowed in the last second.
    private(set) var flows = PowerFlows()
    /// The time up to which the home was simulated.
    private(set) var world: Timestamp
    /// The whole second of ``world``.
    private(set) var second: Int
    /// What the profile says about the present minute.
    private var surroundings = Surroundings()
    /// The meter at the last sampling instant, which all stores report.
    private var lastReading: MeterReading?

    /// A home without a store.
    /// - Parameters:
    ///   - home: its name, which its roof and habits derive from.
    ///   - seed: the same for every home of a fleet.
    ///   - region: the same for every home of a region, whose weather derives from it; `nil` for `seed`.
    package init(home: HomeID, seed: UInt64, region: UInt64? = nil, at world: Timestamp) {
        var generator = SeededGenerator(seed: seed, home: home, purpose: "household")
        let weather = RegionWeather(seed: region ?? seed)
        self.init(profile: HomeProfile(weather: weather, using: &generator), at: world)
    }

    init(profile: HomeProfile, at world: Timestamp) {
        self.profile = profile
        self.world = world
        second = world.second
    }

    /// The store of a device.
    /// - Precondition: the store has been added.
    subscript(device: DeviceID) -> StoreUnit {
        _read { yield stores[index(of: device)] }
        _modify { yield &stores[index(of: device)] }
    }

    private func index(of device: DeviceID) -> Int {
        guard let index = stores.index(of: device) else {
            preconditionFailure("\(device) is no store of this home")
        }
        return index
    }

    /// Becomes the same home with one of its stores alone. What never changes stays, so that little is copied in each
    /// second.
    /// - Precondition: the store has been added to the whole home.
    mutating func follow(_ home: Household, at device: DeviceID) {
        // At first it is the home that was made for the device alone.
        if stores.count != 1 || profile.roof != home.profile.roof { self = home }
        if stores.count == 1 { stores[0] = home[device] } else { stores = [home[device]] }
        otherLoadW = home.otherLoadW
        isIslanded = home.isIslanded
        // One is enough for a home that is off the grid, and all of them are once for each store.
        if outages.isEmpty != home.outages.isEmpty { outages = Set(home.outages.prefix(1)) }
        meterLink = home.meterLink
        supply = home.supply
        flows = home.flows
        world = home.world
        second = home.second
        lastReading = nil
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
        observe()
    }

    /// Adds the stores of a household that was made for one device alone.
    ///
    /// If one of its stores was recorded off the grid, the whole home is off the grid.
    mutating func merge(_ other: Household) {
        isIslanded = isIslanded || other.isIslanded
        outages.formUnion(other.outages)
        meterLink.merge(other.meterLink)
        let isShedding = isSheddingLoad || other.isSheddingLoad
        if !isOnGrid { supply = .island(shedUntil: isShedding ? shedEnd : nil) }
        takeBack(other)
    }

    /// Takes the stores of a household that was made for one device alone, which was here before.
    mutating func takeBack(_ other: Household) {
        for store in other.stores { add(store) }
    }

    /// Simulates the home up to the whole second of `end`.
    ///
    /// At most ``SimulatedDevice/longestPause`` is simulated; after a clock was set back, nothing is.
    package mutating func advance(to end: Timestamp) {
        let last = end.second
        second = min(max(second, last - Int(SimulatedDevice.longestPause.seconds)), last)
        while second < last { stepSecond() }
        world = end
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
}

// One second.
extension Household {
    private mutating func stepSecond() {
        surroundings.move(to: second, of: profile)
        let sunW = surroundings.pvW(at: second, of: profile)
        let demandW = surroundings.loadW(at: second, of: profile) + otherLoadW
        let isOnGrid = isOnGrid
        for index in stores.indices { stores[index].findLimits(isOnGrid: isOnGrid) }
        switch supply {
        case .grid: stepOnGrid(sunW: sunW, demandW: demandW)
        case .island: stepIsland(sunW: sunW, demandW: demandW)
        case .dark(let attempt, let next):
            if second < next {
                stepDark()
            } else {
                tryBlackStart(attempt, sunW: sunW, demandW: demandW)
            }
        }
        endSecond()
    }

    /// The stores follow what the meters showed of the second before.
    private mutating func stepOnGrid(sunW: Double, demandW: Double) {
        // Without the meter they do only what they do whatever surplus and load are.
        dispatch(surplusW: meterLink.isLost ? 0 : flows.shownSurplusW)
        for index in stores.indices { stores[index].run(second: second, supply: .grid) }
        measure(sunW: sunW, demandW: demandW)
    }

    /// Sets the flows of a home on the grid from what its stores do.
    private mutating func measure(sunW: Double, demandW: Double) {
        var (batteriesW, shownW) = (0.0, 0.0)
        for index in stores.indices {
            batteriesW += stores[index].batteryW
            shownW += stores[index].shownW
        }
        let gridW = demandW + batteriesW - sunW
        flows = PowerFlows(
            pvW: sunW, gridW: gridW, loadW: demandW,
            shownSurplusW: shownW - profile.gridMeter.shown(gridW))
    }

    /// The stores form the grid: they follow at once. What is too much of the sun is not used, what is
    /// missing is shed.
    private mutating func stepIsland(sunW: Double, demandW: Double) {
        dispatch(surplusW: sunW - demandW)
        var (batteriesW, canForm, canGive) = (0.0, false, false)
        for index in stores.indices {
            canForm = canForm || stores[index].canFormGrid
            canGive = canGive || stores[index].allowedDischargeW > 0
        }
        guard canForm, canGive || sunW >= demandW else {
            supply = .dark(at: second)
            return stepDark()
        }
        for index in stores.indices {
            stores[index].run(second: second, supply: .island)
            batteriesW += stores[index].batteryW
        }
        let missingW = demandW + batteriesW - sunW
        if missingW > 1 { supply = .island(shedUntil: second + GridSupply.shedMemory) }
        let usedW = missingW > 0 ? sunW : max(0, sunW + missingW)
        flows = PowerFlows(
            pvW: usedW, gridW: 0, loadW: demandW - max(0, missingW),
            shownSurplusW: sunW - demandW)
    }

    private mutating func stepDark() {
        for index in stores.indices { stores[index].run(second: second, supply: .none) }
        flows = PowerFlows()
    }

    /// The stores form a grid for a moment. It lasts if the roof then gives more than the home draws, or
    /// a store has charge to give.
    private mutating func tryBlackStart(_ attempt: Int, sunW: Double, demandW: Double) {
        let isStarted = stores.contains { store in
            store.canFormGrid && (store.hasCharge || sunW >= demandW)
        }
        guard isStarted else {
            for index in stores.indices where stores[index].canFormGrid {
                stores[index].payForBlackStart(seconds: Self.blackStartSeconds)
            }
            supply = .dark(after: attempt, at: second)
            return stepDark()
        }
        supply = .island(shedUntil: nil)
        stepIsland(sunW: sunW, demandW: demandW)
    }

    /// How long a black start that fails takes, in s (estimate: until an inverter has seen the grid for
    /// the shortest time that codes allow).
    private static let blackStartSeconds = 60.0

    private mutating func endSecond() {
        second += 1
        guard second.isMultiple(of: 60) else { return }
        for index in stores.indices { stores[index].endMinute(ambientC: surroundings.ambientC) }
        let minute = second
        changeMeter { $0.passMinute(at: minute) }
    }

    /// Computes the flows of the present second without letting it pass, so that a home that was just
    /// switched on has a reading.
    private mutating func observe() {
        surroundings.move(to: second, of: profile)
        let sunW = surroundings.pvW(at: second, of: profile)
        let demandW = surroundings.loadW(at: second, of: profile) + otherLoadW
        switch supply {
        case .grid: measure(sunW: sunW, demandW: demandW)
        case .island, .dark: flows.shownSurplusW = sunW - demandW
        }
    }
}

// The grid.
extension Household {
    /// Whether the home is on the grid.
    var isOnGrid: Bool { !isIslanded && outages.isEmpty }

    /// Whether the home is off the grid only because the grid failed.
    var hasOutage: Bool { !isIslanded && !outages.isEmpty }

    /// Whether anything supplies the home: the grid, or a store.
    package var hasPower: Bool { supply.hasPower }

    /// Whether the home has less than it wants, or had a moment ago.
    var isSheddingLoad: Bool { supply.isShedding(at: second) }

    private var shedEnd: Int { second + GridSupply.shedMemory }

    /// Takes the home off the grid, or back as soon as there is one.
    package mutating func setIsland(_ isIsland: Bool) {
        changeGrid { $0.isIslanded = isIsland }
    }

    /// Lets the grid fail at a store, or come back.
    package mutating func setOutage(_ isOut: Bool, at device: DeviceID) {
        changeGrid { home in
            if isOut { home.outages.insert(device) } else { home.outages.remove(device) }
        }
    }

    /// Lets the meter fall silent for a store, or answer again.
    mutating func setMeterLost(_ isLost: Bool, at device: DeviceID) {
        changeMeter { $0.set(isLost, at: device) }
    }

    /// All stores of the home learn that the meter does not answer any more.
    private mutating func changeMeter(_ change: (inout MeterLink) -> Void) {
        let wasLost = meterLink.isLost
        change(&meterLink)
        guard meterLink.isLost != wasLost else { return }
        guard meterLink.isLost else { return meterLink.keep(loadW: nil) }
        meterLink.keep(loadW: MeterReading(of: self, at: world).loadW)
        let code = JSONValue.string(SimulatedFault.meterLost.rawValue)
        for index in stores.indices {
            stores[index].occurrences.append(.event(.fault, detail: ["code": code]))
        }
    }

    /// Restores what was recorded of a home that was an island.
    mutating func restoreIsland(isShedding: Bool) {
        isIslanded = true
        supply = .island(shedUntil: isShedding ? shedEnd : nil)
    }

    /// All stores of the home learn of a change; off the grid, transfers end.
    private mutating func changeGrid(_ change: (inout Household) -> Void) {
        let wasOnGrid = isOnGrid
        change(&self)
        guard isOnGrid != wasOnGrid else { return }
        supply = isOnGrid ? .grid : .island(shedUntil: nil)
        // The home is switched over without power; its stores take over with the next second.
        if !isOnGrid { flows = PowerFlows() }
        for index in stores.indices {
            if !isOnGrid { stores[index].rest() }
            stores[index].occurrences.append(
                .event(isOnGrid ? .gridRestored : .gridLost, detail: [:]))
            guard !isOnGrid, stores[index].transfer != nil else { continue }
            stores[index].transfer = nil
            stores[index].occurrences.append(
                .actionEnded(.failed(.notReady, message: "the home was cut off the grid")))
        }
    }
}

extension Household {
    /// Tells a store what to take or to give. ``dispatch(surplusW:)`` asks one store after the other.
    mutating func order(_ wanted: Double, of index: Int) -> Double { stores[index].order(wanted) }
}

extension Timestamp {
    /// The whole second, also before 1970.
    var second: Int { milliseconds.floored(by: 1000) }
}
