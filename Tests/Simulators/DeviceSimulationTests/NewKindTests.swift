import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceSimulation

/// A kind that the house has never heard of: one behaviour, and all rules hold.
@Suite struct NewKindTests {
    @Test func newKindIsOneBehaviour() throws {
        var mower = try Mower.device()
        let clock = BenchClock()
        let announced = mower.handle(.connected, at: clock.now)
        #expect(announced.states.first?.state == ["activity": "parked", "heightMm": 40])
        let set = try Order("set-height", ["heightMm": 60])
        let actions = mower.handle(input(set), at: clock.now)
        #expect(actions.verdicts == ["accepted/OK", "succeeded/OK"])
        #expect(actions.acks.last?.result["previous"] == 40)
        #expect(actions.states.last?.state["heightMm"] == 60)
        #expect(mower.handle(input(set), at: clock.now).acks.map(\.isReplay) == [true])
    }

    @Test func actionThatFailsByItselfEndsWithItsReason() throws {
        var mower = try Mower.device()
        var clock = BenchClock()
        _ = mower.handle(.connected, at: clock.now)
        let mow = try Order("mow")
        _ = mower.handle(input(mow), at: clock.now)
        var last: [DeviceAction] = []
        while let wake = mower.nextWake, !last.acks.contains(where: \.isFinal) {
            clock.pass(wake - clock.monotonic)
            last = mower.handle(.wake, at: clock.now)
        }
        #expect(last.acks.last?.verdict == "failed/STUCK")
        #expect(last.acks.last?.revision == last.states.last?.revision)
        #expect(last.states.last?.state["activity"] == "stuck")
        #expect(last.events == ["stuck"])
        let next = mower.handle(input(try Order("mow", at: clock.wire)), at: clock.now)
        #expect(next.verdicts == ["rejected/WRONG_STATE"])
    }

    @Test func queuedActionThatTheStateForbidsFailsWhenItsTurnComes() throws {
        var mower = try Mower.device()
        var clock = BenchClock()
        _ = mower.handle(.connected, at: clock.now)
        let orders = try (0..<2).map { _ in try Order("mow", valid: .seconds(600)) }
        for order in orders { _ = mower.handle(input(order), at: clock.now) }
        clock.pass(.seconds(60))
        let ended = mower.handle(.wake, at: clock.now).acks.filter(\.isFinal)
        #expect(ended.map(\.id) == orders.map(\.id))
        #expect(ended.map(\.verdict) == ["failed/STUCK", "failed/WRONG_STATE"])
        #expect(ended.map(\.executions) == [1, 0])
    }

    @Test func unknownModelIsATypedError() throws {
        let identity = try DeviceBench.identity("mower-m1")
        #expect(throws: UnsimulatedModel.self) {
            try SimulatedDevice(
                identity: identity, seed: 1, boot: BootID("b1"), telemetryInterval: .seconds(5),
                at: BenchClock().now)
        }
    }

    private func input(_ order: Order) -> DeviceInput {
        .command(payload: order.payload, retained: false, responseTopic: nil, lane: .normal)
    }
}

/// A lawnmower that gets stuck after half a minute.
private struct Mower: DeviceBehaviour {
    var heightMm = 40.0
    var activity = "parked"
    var mownSeconds = 0.0

    let commands =
        CommandSpecification.ofEveryDevice + [
            CommandSpecification(
                name: CommandName(rawValue: "set-height"),
                arguments: .members(["heightMm": .number(20...80)]), sort: .setting),
            CommandSpecification(
                name: CommandName(rawValue: "mow"), arguments: .nothing, sort: .action),
        ]

    static func device() throws -> LoneDevice {
        let moment = BenchClock().now
        let device = SimulatedDevice(
            identity: try DeviceBench.identity("mower-m1"), behaviour: Mower(), seed: 1,
            boot: try BootID("b1"), telemetryInterval: .seconds(5), at: moment)
        return LoneDevice(device, at: moment)
    }

    var controlled: JSONObject { ["activity": .string(activity), "heightMm": .number(heightMm)] }
    var measured: JSONObject { [:] }
    var activityName: String { activity }
    var stepInterval: Duration? { activity == "mowing" ? .seconds(1) : nil }
    var actionPercent: Double? { nil }
    var memory: [UInt8] { [] }

    mutating func restore(controlled: JSONObject, memory: JSONObject) {}

    mutating func writeTelemetry(at instant: Timestamp, to json: inout JSONWriter) {
        json.writeObject { json in
            json.writeName("mownSeconds")
            json.write(mownSeconds)
        }
    }

    func admission(of action: CommandName) -> ActionAdmission { .queued }

    func stateRefusal(of request: BehaviourRequest, running: CommandName?) -> BehaviourRefusal? {
        activity == "stuck" ? .wrongState("free the mower first") : nil
    }

    mutating func apply(
        setting request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) -> JSONValue {
        defer { heightMm = request.arguments["heightMm"]?.number ?? heightMm }
        return .number(heightMm)
    }

    mutating func perform(
        instant request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) {}

    mutating func begin(
        action request: BehaviourRequest, noting occurrences: inout [BehaviourOccurrence]
    ) { activity = "mowing" }

    mutating func interrupt(noting occurrences: inout [BehaviourOccurrence]) { activity = "parked" }

    mutating func step(_ span: WorldSpan, noting occurrences: inout [BehaviourOccurrence]) {
        guard activity == "mowing" else { return }
        mownSeconds += span.seconds
        guard mownSeconds >= 30, let stuck = EventName(rawValue: "stuck") else { return }
        activity = "stuck"
        occurrences.append(.actionEnded(.failed(.stuck, message: "the wheels turn, the mower not")))
        occurrences.append(.event(stuck, detail: ["code": "WHEEL_BLOCKED"]))
    }
}
