import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// One simulated device on a bench: clocks that are turned by hand, everything that it did in a
/// log, and a journal that is folded beside it.
struct DeviceBench {
    private var lone: LoneDevice
    var clock: BenchClock
    var log: [DeviceAction] = []
    var journal: DeviceJournalState
    let model: String
    let seed: UInt64
    let claim: ClaimNonce?
    /// Whether the device tells what it makes.
    let tells: Bool
    /// Whether the device is started anew as soon as it asks for that.
    var rebootsWhenAsked = false
    private(set) var bootNumber = 1

    /// A device that is connected, its announcement already in the log's past.
    init(
        _ model: String, seed: UInt64 = 7, telemetryEvery interval: Duration = .seconds(5),
        claim: ClaimNonce? = nil, restoring journal: DeviceJournalState = .empty,
        tellingWhatItMakes tells: Bool = false, keepingSamples: Bool = false
    ) throws {
        self.claim = claim
        self.tells = tells
        self.model = model
        self.seed = seed
        self.journal = journal
        clock = BenchClock()
        let device = try SimulatedDevice(
            identity: Self.identity(model), seed: seed, homeSeed: Self.homeSeed(model, seed),
            boot: BootID("b1"),
            telemetryInterval: interval, claim: claim, restoring: journal,
            tellingWhatItMakes: tells, keepingSamples: keepingSamples, at: clock.now)
        lone = LoneDevice(device, at: clock.now)
        give(.connected)
    }

    /// The device; one that is set takes its place.
    var device: SimulatedDevice {
        get { lone.device }
        set { lone.device = newValue }
    }

    /// Tests of sweeping robots know the floor of the home with the seed 0.
    private static func homeSeed(_ model: String, _ seed: UInt64) -> UInt64 {
        model.hasPrefix("sweeper") ? 0 : seed
    }

    static func identity(_ model: String) throws -> DeviceIdentity {
        DeviceIdentity(
            home: try HomeID("home-1"), device: try DeviceID("robot-1"),
            model: DeviceModel(rawValue: model), name: "Robot 1")
    }

    /// Gives an input and notes what the device makes of it.
    @discardableResult
    mutating func give(_ input: DeviceInput) -> [DeviceAction] {
        let actions = lone.handle(input, at: clock.now)
        for case .record(let record) in actions { keep(record) }
        log += actions
        if rebootsWhenAsked, actions.contains(.restart) {
            do {
                try reboot()
            } catch { Issue.record("\(error)") }
        }
        return actions
    }

    /// Folds a record into the journal, by way of its bytes.
    private mutating func keep(_ record: JournalRecord) {
        do {
            journal.apply(try JournalRecord(bytes: record.bytes))
        } catch {
            Issue.record("\(error)")
        }
    }

    /// Gives the bytes of a command.
    @discardableResult
    mutating func give(
        bytes: [UInt8], retained: Bool = false, responseTopic: ResponseTopic? = nil,
        lane: CommandLane = .normal
    ) -> [DeviceAction] {
        give(
            .command(payload: bytes, retained: retained, responseTopic: responseTopic, lane: lane))
    }

    /// Gives a command.
    @discardableResult
    mutating func give(_ order: Order, lane: CommandLane = .normal) -> [DeviceAction] {
        give(bytes: order.payload, lane: lane)
    }

    /// Lets time pass, with every wake that the device asks for.
    @discardableResult
    mutating func pass(_ duration: Duration) -> [DeviceAction] {
        let end = clock.monotonic + duration
        var actions: [DeviceAction] = []
        while let wake = lone.nextWake, wake <= end {
            clock.pass(max(wake - clock.monotonic, .zero))
            actions += give(.wake)
        }
        clock.pass(end - clock.monotonic)
        return actions
    }

    /// Starts the device anew from the journal beside it, in the next boot.
    @discardableResult
    mutating func restart(connecting: Bool = true) throws -> [DeviceAction] {
        try boot(connecting: connecting, having: .none)
    }

    /// Starts the device anew with the faults that it has.
    @discardableResult
    mutating func reboot(connecting: Bool = true) throws -> [DeviceAction] {
        try boot(connecting: connecting, having: device.faults)
    }

    private mutating func boot(
        connecting: Bool, having faults: ActiveFaults
    ) throws -> [DeviceAction] {
        bootNumber += 1
        let next = try SimulatedDevice(
            identity: Self.identity(model), seed: seed, homeSeed: Self.homeSeed(model, seed),
            boot: BootID("b\(bootNumber)"),
            telemetryInterval: .seconds(5), claim: claim, restoring: journal, having: faults,
            tellingWhatItMakes: tells, at: clock.now)
        lone = LoneDevice(next, at: clock.now)
        return connecting ? give(.connected) : []
    }

    /// Lets a fault happen.
    @discardableResult
    mutating func inject(
        _ name: SimulatedFault, _ settings: JSONObject = [:], lasting: Duration? = nil
    ) throws -> [DeviceAction] {
        let end = lasting.map { clock.world.advanced(by: $0) }
        return give(.inject(try Fault(name, setting: settings), until: end))
    }

    /// Confirms every publish in the log that asks for it.
    mutating func confirmAll() {
        for confirmation in log.confirmations { give(.confirmed(confirmation)) }
    }

    /// The state as it was published last.
    var state: StateMessage? { log.states.last }

    /// The acks of one command, in order.
    func acks(of order: Order) -> [AckMessage] { log.acks.filter { $0.id == order.message.id } }
}

/// A device that is alone in its home.
struct LoneDevice {
    private var home: HomeWorld

    init(_ device: SimulatedDevice, at moment: DeviceMoment) {
        // A store brings a home of its own.
        let household =
            device.behaviour.household
            ?? Household(home: device.identity.home, seed: 1, at: moment.world)
        home = HomeWorld([device], in: household, at: moment.world)
    }

    /// The device; one that is set takes its place.
    var device: SimulatedDevice {
        get { home.devices[0] }
        set { home.replace(0, with: newValue) }
    }

    /// When it wants the next wake.
    var nextWake: Duration? { home.nextWake(of: 0) }

    /// Gives it an input.
    mutating func handle(_ input: DeviceInput, at moment: DeviceMoment) -> [DeviceAction] {
        home.handle(input, of: 0, at: moment).flatMap(\.actions)
    }
}

/// Clocks that are turned by hand.
struct BenchClock {
    /// 2025-06-21T10:00:00Z.
    var wire = Timestamp(milliseconds: 1_750_500_000_000)
    var world = Timestamp(milliseconds: 1_750_500_000_000)
    var monotonic = Duration.seconds(1000)

    var now: DeviceMoment { DeviceMoment(wire: wire, world: world, monotonic: monotonic) }

    /// Turns all clocks.
    mutating func pass(_ duration: Duration) {
        wire = wire.advanced(by: duration)
        world = world.advanced(by: duration)
        monotonic += duration
    }
}

extension [DeviceAction] {
    /// The acks that were published.
    var acks: [AckMessage] {
        compactMap { if case .publish(.ack(let ack, _), _) = $0 { ack } else { nil } }
    }

    /// The states that were published.
    var states: [StateMessage] {
        compactMap { if case .publish(.state(let state), _) = $0 { state } else { nil } }
    }

    /// The samples that were published.
    var samples: [TelemetryMessage] {
        compactMap {
            if case .publish(.telemetry(let sample), _) = $0 { sample.message } else { nil }
        }
    }

    /// The messages whose bytes a fault has changed, or that it has published at another time.
    var altered: [(message: DevicePublication, payload: [UInt8])] {
        compactMap {
            guard case .publish(.altered(let message, let payload), _) = $0 else { return nil }
            return (message, payload)
        }
    }

    /// What was made, whether or not it left.
    var made: [DevicePublication] {
        compactMap { if case .made(let publication) = $0 { publication } else { nil } }
    }

    /// The presence messages that were published.
    var presences: [PresenceMessage] {
        compactMap { if case .publish(.presence(let presence), _) = $0 { presence } else { nil } }
    }

    /// The names of the events that were published.
    var events: [String] {
        compactMap {
            if case .publish(.event(let event), _) = $0 { event.event.text } else { nil }
        }
    }

    /// What was counted.
    var counts: [DeviceCounter] {
        compactMap { if case .count(let counter) = $0 { counter } else { nil } }
    }

    /// What was recorded.
    var records: [JournalRecord] {
        compactMap { if case .record(let record) = $0 { record } else { nil } }
    }

    /// The publishes that ask to be confirmed.
    var confirmations: [DeviceSimulation.Confirmation] {
        compactMap { if case .publish(_, let confirmation) = $0 { confirmation } else { nil } }
    }

    /// Stages and codes of the acks, to be read at a glance.
    var verdicts: [String] { acks.map(\.verdict) }
}

extension WrittenSample {
    /// What its bytes say.
    var message: TelemetryMessage? {
        do {
            return try TelemetryMessage(payload: payload)
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }
}

extension DeviceBehaviour {
    /// The values of a sample at the beginning of a bench, or of the present second.
    var telemetry: JSONObject {
        var (behaviour, json) = (self, JSONWriter())
        behaviour.writeTelemetry(at: BenchClock().world, to: &json)
        return read(json)
    }

    /// What a restart reads of what it remembers.
    var remembered: JSONObject { (try? JSONReader.read(memory))?.object ?? [:] }
}

extension MeterReading {
    /// The values of a sample of one store.
    func values(of device: DeviceID) -> JSONObject {
        var json = JSONWriter()
        write(device, to: &json)
        return read(json)
    }
}

private func read(_ json: JSONWriter) -> JSONObject {
    do {
        return try JSONReader.read(json.bytes).object ?? [:]
    } catch {
        Issue.record("\(error)")
        return [:]
    }
}

extension AckMessage {
    /// Stage and code, such as `rejected/BUSY`.
    var verdict: String { "\(stage.rawValue)/\(code.rawValue)" }
}
