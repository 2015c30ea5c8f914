import DeviceDomain
import DeviceMessages

@testable import DeviceSimulation

/// The stores of one home on a bench, each with a journal beside it.
struct HomeBench {
    private var home: HomeWorld
    private var journals: [DeviceJournalState]
    private let models: [String]
    private let interval: Duration
    var clock = BenchClock()
    /// What the stores have published, in order.
    var samples: [TelemetryMessage] = []
    /// The newest state of each store.
    var states: [DeviceID: StateMessage] = [:]
    /// The names of the events that were published.
    var events: [String] = []
    private(set) var bootNumber = 0

    init(_ models: [String], telemetryEvery interval: Duration = .seconds(5)) throws {
        self.models = models
        self.interval = interval
        journals = models.map { _ in .empty }
        home = HomeWorld([], in: try Self.emptyHome(at: clock.world), at: clock.world)
        try boot()
    }

    private static func emptyHome(at world: Timestamp) throws -> Household {
        Household(home: try HomeID("home-1"), seed: 1, at: world)
    }

    /// Starts all stores from their journals, as after a `kill -9`.
    mutating func boot() throws {
        bootNumber += 1
        let devices = try models.indices.map { index in
            try SimulatedDevice(
                identity: try identity(index), seed: UInt64(index + 3),
                boot: BootID("b\(bootNumber)"), telemetryInterval: interval,
                restoring: journals[index], at: clock.now)
        }
        home = HomeWorld(devices, in: try Self.emptyHome(at: clock.world), at: clock.world)
        for index in devices.indices { give(.connected, to: index) }
    }

    func identity(_ index: Int) throws -> DeviceIdentity {
        DeviceIdentity(
            home: try HomeID("home-1"), device: try DeviceID("store-\(index + 1)"),
            model: DeviceModel(rawValue: models[index]), name: "Store \(index + 1)")
    }

    @discardableResult
    mutating func give(_ input: DeviceInput, to index: Int) -> [DeviceAction] {
        var own: [DeviceAction] = []
        for output in home.handle(input, of: index, at: clock.now) {
            let actions = output.actions
            for case .record(let record) in actions { journals[output.place].apply(record) }
            samples += actions.samples
            events += actions.events
            for state in actions.states { states[state.device] = state }
            if output.place == index { own = actions }
        }
        return own
    }

    @discardableResult
    mutating func give(_ order: Order, to index: Int) -> [DeviceAction] {
        give(
            .command(payload: order.payload, retained: false, responseTopic: nil, lane: .normal),
            to: index)
    }

    /// Lets time pass; every wake comes some milliseconds late, each store's a little later.
    mutating func pass(_ duration: Duration) {
        let end = clock.monotonic + duration
        while let wake = home.devices.compactMap(\.nextWake).min(), wake <= end {
            clock.pass(max(wake - clock.monotonic, .zero) + .milliseconds(2))
            for index in models.indices where home.nextWake(of: index) ?? end <= clock.monotonic {
                give(.wake, to: index)
                clock.pass(.milliseconds(1))
            }
        }
        clock.pass(max(end - clock.monotonic, .zero))
    }
}
