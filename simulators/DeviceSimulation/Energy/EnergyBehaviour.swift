import Basics
package import DeviceDomain
package import DeviceMessages

/// A battery at a home's meter, beside its roof of photovoltaics, its load and its other stores.
package struct EnergyBehaviour: DeviceBehaviour {
    package let commands: [CommandSpecification]
    /// The device that it belongs to.
    let device: DeviceID
    /// The home that the store is part of.
    var home: Household
    /// The controlled members as they were last compared.
    private var compared = ComparedValue<Controlled>()

    /// A store of some age and charge, in a home without another store.
    init(
        device: DeviceID, system: StorageSystem, commands: [CommandSpecification],
        using generator: inout SeededGenerator, at world: Timestamp
    ) {
        self.device = device
        self.commands = commands
        let weather = RegionWeather(seed: generator.next())
        home = Household(profile: HomeProfile(weather: weather, using: &generator), at: world)
        home.add(StoreUnit(device: device, system: system, using: &generator))
    }

    /// Makes stores of one model, which share their commands.
    static func maker(_ system: StorageSystem) -> BehaviourCatalog.Maker {
        let commands = system.commands
        return { identity, seed, world in
            var generator = SeededGenerator(seed: seed, identity: identity, purpose: "energy")
            return EnergyBehaviour(
                device: identity.device, system: system, commands: commands, using: &generator,
                at: world)
        }
    }

    /// The store itself.
    var store: StoreUnit {
        _read { yield home[device] }
        _modify { yield &home[device] }
    }

    package var household: Household? { home }

    package var samplesWithItsHome: Bool { true }

    package var sharesItsHome: Bool { true }

    package mutating func exchange(_ home: inout Household) { swap(&self.home, &home) }

    package mutating func takePart(of home: Household) { self.home.follow(home, at: device) }

    package mutating func beginToWear(_ identity: DeviceIdentity, _ seed: DeviceSeeds) {
        var generator = SeededGenerator(seed: seed, home: identity.home, purpose: "meter-link")
        home.meterLink.wear(seed: generator.next())
    }
}

extension EnergyBehaviour {
    /// What the controlled members of the state are made of.
    struct Controlled: Hashable, Sendable {
        let mode: EnergyStore.Mode
        let chargeLimitPercent: Double
        let reservePercent: Double
        let isOnGrid: Bool
        let hasOutage: Bool
        let isSheddingLoad: Bool
        let isMeterLost: Bool
        let isDefective: Bool
        let alarms: StoreAlarms
    }

    package mutating func takeControlledChange() -> Bool {
        compared.takeChange(to: presentControlled(of: store))
    }

    private func presentControlled(of store: StoreUnit) -> Controlled {
        Controlled(
            mode: store.mode, chargeLimitPercent: store.chargeLimitPercent,
            reservePercent: store.reservePercent, isOnGrid: home.isOnGrid,
            hasOutage: home.hasOutage, isSheddingLoad: home.isSheddingLoad,
            isMeterLost: home.meterLink.isLost,
            isDefective: store.limits.isDefective, alarms: store.alarms)
    }

    package var controlled: JSONObject {
        let present = presentControlled(of: store)
        return JSONObject(reporting: [
            .mode: .string(present.mode.rawValue),
            .chargeLimitPercent: .number(present.chargeLimitPercent),
            .reservePercent: .number(present.reservePercent),
            .gridConnected: .boolean(present.isOnGrid),
            .alarms: .array(alarms.map(JSONValue.string)),
        ])
    }

    package var measured: JSONObject {
        JSONObject(reporting: [
            .stateOfHealthPercent: .number((store.battery.health * 100).rounded(decimals: 1))
        ])
    }

    package mutating func writeTelemetry(at instant: Timestamp, to json: inout JSONWriter) {
        home.reading(at: instant).write(device, to: &json)
    }

    package var activityName: String { store.mode.rawValue }

    package var stepInterval: Duration? { store.transfer == nil ? nil : .seconds(1) }

    package var actionPercent: Double? {
        let store = store
        guard let transfer = store.transfer else { return nil }
        let way = store.target(of: transfer) - transfer.startPercent
        guard way != 0 else { return 100 }
        return min(max((store.percent - transfer.startPercent) / way * 100, 0), 100).rounded()
    }

    package mutating func step(
        _ span: WorldSpan, noting occurrences: inout [BehaviourOccurrence]
    ) {
        let ahead = span.end.since(home.world)
        // A store that is woken late samples an instant that the home has left behind. Going back to it
        // would simulate the time since then again, once for each store.
        let isSetBack = ahead < .zero && !home.hasReading(at: span.end)
        if ahead > .zero || isSetBack { home.advance(to: span.end) }
        noteOccurrences(&occurrences)
    }

    /// Reports what happened to the store, also while another store of the home was stepped.
    mutating func noteOccurrences(_ occurrences: inout [BehaviourOccurrence]) {
        guard !store.occurrences.isEmpty else { return }
        occurrences += store.occurrences
        store.occurrences = []
    }
}

// What survives a restart.
extension EnergyBehaviour {
    package var memory: [UInt8] {
        let store = store
        return JSONWriter.members { json in
            let age = store.battery.age
            json.write(age.calendarSquare.rounded(decimals: 9), as: "calendarFade")
            json.write(store.battery.thermal.celsius.rounded(decimals: 2), as: "celsius")
            json.write(store.meter.inWh.keptCount(decimals: 2), as: "chargedWh")
            json.write(age.cycleFade.rounded(decimals: 7), as: "cycleFade")
            json.write(age.equivalentCycles.keptCount(decimals: 3), as: "cycles")
            json.write(store.meter.outWh.keptCount(decimals: 2), as: "dischargedWh")
            json.write(store.battery.energyWh.rounded(decimals: 2), as: "energyWh")
            json.write(store.isHoldingFull, as: "holdsFull")
        }
    }

    package mutating func restore(controlled: JSONObject, memory: JSONObject) {
        var store = store
        store.mode = controlled[.mode]?.string.flatMap(EnergyStore.Mode.init) ?? store.mode
        store.chargeLimitPercent =
            controlled[.chargeLimitPercent]?.number ?? store.chargeLimitPercent
        store.reservePercent = controlled[.reservePercent]?.number ?? store.reservePercent
        store.battery.energyWh = max(memory["energyWh"]?.number ?? store.battery.energyWh, 0)
        store.meter.inWh = memory["chargedWh"]?.number ?? store.meter.inWh
        store.meter.outWh = memory["dischargedWh"]?.number ?? store.meter.outWh
        store.isHoldingFull = memory["holdsFull"]?.boolean ?? store.isHoldingFull
        if let celsius = memory["celsius"]?.number {
            store.battery.thermal.restore(celsius: celsius)
        }
        store.battery.age.restore(
            calendarSquare: memory["calendarFade"]?.number ?? store.battery.age.calendarSquare,
            cycleFade: memory["cycleFade"]?.number ?? store.battery.age.cycleFade,
            equivalentCycles: memory["cycles"]?.number ?? store.battery.age.equivalentCycles)
        let alarms = controlled[.alarms]?.array?.compactMap(\.string) ?? []
        store.restore(alarms: alarms)
        let isOffGrid = controlled[.gridConnected]?.boolean == false
        if isOffGrid, !alarms.contains(Self.gridOutage) {
            home.restoreIsland(isShedding: alarms.contains(Self.loadShed))
        }
        home.add(store)
    }
}
