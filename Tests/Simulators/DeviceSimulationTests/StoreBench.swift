import Basics
import DeviceDomain
import DeviceMessages

@testable import DeviceSimulation

/// One home with one store, stepped without a device around it.
struct StoreBench {
    var home: Household
    let device: DeviceID
    let start: Timestamp

    /// 2025-06-21T10:00:00Z, a Saturday at noon.
    static let noon = Timestamp(milliseconds: 1_750_500_000_000)
    /// 2025-06-22T00:00:00Z.
    static let night = Timestamp(milliseconds: 1_750_550_400_000)
    /// 2025-11-30T18:00:00Z.
    static let winterEvening = Timestamp(milliseconds: 1_764_525_600_000)

    init(
        _ system: StorageSystem, seed: UInt64 = 3, at start: Timestamp = noon, room: Double? = nil,
        percent: Double? = nil
    ) throws {
        self.start = start
        device = try DeviceID("store-1")
        home = Household(home: try HomeID("home-\(seed)"), seed: seed, at: start)
        var generator = SeededGenerator(seed: seed)
        var store = StoreUnit(
            device: device, system: system, room: room.map { .indoors(celsius: $0) },
            using: &generator)
        if let percent { store.battery.energyWh = store.battery.capacityWh * percent / 100 }
        if let room { store.battery.thermal.restore(celsius: room) }
        store.feelTemperature()
        home.add(store)
    }

    var store: StoreUnit {
        get { home[device] }
        set { home[device] = newValue }
    }

    /// Lets seconds pass.
    mutating func pass(_ seconds: Int) {
        home.advance(to: home.world.advanced(by: .seconds(seconds)))
    }

    /// Lets seconds pass one by one, and looks after each.
    mutating func pass(_ seconds: Int, each look: (StoreBench) throws -> Void) rethrows {
        for _ in 0..<seconds {
            pass(1)
            try look(self)
        }
    }

    /// What the store reports now.
    func values() throws -> StoreValues {
        try StoreValues(MeterReading(of: home, at: home.world).values(of: device))
    }

    /// Lets the store charge or discharge, in W.
    mutating func order(_ name: CommandName, _ watts: Double, until percent: Double? = nil) {
        var arguments: JSONObject = ["powerW": .number(watts)]
        if let percent { arguments["untilPercent"] = .number(percent) }
        store.transfer = EnergyTransfer(BehaviourRequest(name, arguments), from: store.percent)
    }
}

/// The values of one sample.
struct StoreValues: Hashable {
    let gridW, pvW, loadW, batteryW, percent, chargedKWh, dischargedKWh: Double
    let lowestV, highestV, celsius, cycles: Double

    init(_ values: JSONObject) throws {
        func value(_ signal: Signal) throws -> Double {
            guard let number = values[signal]?.number else { throw MissingSignal(signal: signal) }
            return number
        }
        gridW = try value(.gridPowerW)
        pvW = try value(.pvPowerW)
        loadW = try value(.loadPowerW)
        batteryW = try value(.batteryPowerW)
        percent = try value(.stateOfChargePercent)
        chargedKWh = try value(.chargedKWh)
        dischargedKWh = try value(.dischargedKWh)
        lowestV = try value(.cellMinV)
        highestV = try value(.cellMaxV)
        celsius = try value(.temperatureC)
        cycles = try value(.equivalentCycles)
    }

    /// A sample lacks a signal.
    struct MissingSignal: Error {
        let signal: Signal
    }
}
