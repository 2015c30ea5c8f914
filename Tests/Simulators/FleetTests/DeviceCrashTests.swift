import DeviceDomain
import DeviceMessages
import DeviceSimulation
import Glibc
import TestSupport
import Testing

@testable import Fleet

/// A device process that is killed within a command, and the next one on its journal.
@Suite struct DeviceCrashTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func killedBetweenEffectAndAckItAnswersFromTheRecord() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            var doomed = try JournaledDevice(in: path)
            try doomed.handle(.connected)
            // When its turn comes, the final record is in the file, and the ack has not left.
            try doomed.handle(DeviceOrder.suction.input, carryingOut: dieOfAFinalAck)
        }

        var next = try JournaledDevice(in: folder.path)
        let announced = try next.handle(.connected)
        #expect(announced.states.last?.state["fanSpeed"] == "max")
        let first = try #require(announced.acks.only)
        #expect(first.stage == .succeeded)
        #expect(first.executions == 1)
        #expect(first.boot == DeviceOrder.firstBoot.id)
        let again = try next.handle(DeviceOrder.suction.input)
        let replay = try #require(again.acks.only)
        #expect(replay == first.replayed)
        #expect(again.states.isEmpty)
    }

    @Test func killedBeforeTheEndWasRecordedItAppliesASettingAgain() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            var doomed = try JournaledDevice(in: path)
            try doomed.handle(.connected)
            try doomed.handle(
                DeviceOrder.suction.input, recording: { !$0.isEnd }, carryingOut: dieOfAFinalAck)
        }

        var next = try JournaledDevice(in: folder.path)
        let announced = try next.handle(.connected)
        #expect(announced.states.last?.state["fanSpeed"] == "max")
        let end = try #require(announced.acks.only)
        #expect(end.stage == .succeeded)
        #expect(end.executions == 2)
        #expect(end.boot == DeviceOrder.firstBoot.next.id)
        let replay = try #require(try next.handle(DeviceOrder.suction.input).acks.only)
        #expect(replay == end.replayed)
    }

    @Test func killedWhileAnActionRunsItSaysInterrupted() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            var doomed = try JournaledDevice(in: path)
            try doomed.handle(.connected)
            try doomed.handle(DeviceOrder.cleaning.input)
            kill(getpid(), SIGKILL)
        }

        var next = try JournaledDevice(in: folder.path)
        let announced = try next.handle(.connected)
        let end = try #require(announced.acks.only)
        #expect(end.stage == .failed)
        #expect(end.code == .interrupted)
        #expect(end.executions == 1)
        let again = try next.handle(DeviceOrder.cleaning.input)
        #expect(again.acks == [end.replayed])
    }
}

private func dieOfAFinalAck(_ action: DeviceAction) {
    if action.isFinalAck { kill(getpid(), SIGKILL) }
}

/// A simulated device with its journal in a file, as a shard carries it.
private struct JournaledDevice {
    private var journal: Journal
    private var home: HomeWorld
    private let key: DeviceKey

    /// Starts the device with what the folder remembers.
    init(in path: String) throws {
        let plan = FleetPlan(
            homes: .numbered(1), counts: DeviceCounts(sweepers: 1), seed: 1
        ).devices[0]
        key = plan.key
        journal = try Journal(in: JournalDirectory(path: path), homes: [plan.key.home])
        let boot = journal.boot(of: key)?.next ?? DeviceOrder.firstBoot
        try journal.append([JournalLine(key: key, content: .boot(boot))])
        let device = try SimulatedDevice(
            identity: plan.identity, seed: plan.seed,
            boot: boot.id, telemetryInterval: .seconds(5), restoring: journal.state(of: key),
            at: DeviceOrder.moment)
        let world = DeviceOrder.moment.world
        let household = Household(home: key.home, seed: plan.homeSeed, at: world)
        home = HomeWorld([device], in: household, at: world)
    }

    /// Records what an input asks for, and then tells of every other action in its order.
    @discardableResult
    mutating func handle(
        _ input: DeviceInput, recording isRecorded: (JournalRecord) -> Bool = { _ in true },
        carryingOut carryOut: (DeviceAction) -> Void = { _ in }
    ) throws -> [DeviceAction] {
        let actions = home.handle(input, of: 0, at: DeviceOrder.moment).flatMap(\.actions)
        try journal.append(
            actions.records.filter(isRecorded).map {
                JournalLine(key: key, content: .record($0))
            })
        for action in actions { carryOut(action) }
        return actions
    }
}

/// A command whose bytes are the same in every process.
private struct DeviceOrder {
    static let suction = DeviceOrder("set-suction-level", ["level": "max"], seed: 1)
    static let cleaning = DeviceOrder("start-cleaning", [:], seed: 2)
    static let moment = DeviceMoment(
        wire: Timestamp(milliseconds: 1_764_000_000_000),
        world: Timestamp(milliseconds: 1_764_000_000_000), monotonic: .seconds(100))
    static let firstBoot = BootCount(count: 1, since: moment.world)

    let input: DeviceInput

    private init(_ name: String, _ arguments: JSONObject, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        guard let controller = ControllerID(rawValue: "ctl") else {
            preconditionFailure("a valid id")
        }
        let now = Self.moment.wire
        input = .command(
            payload: CommandMessage(
                id: CommandID(at: now, using: &generator), controller: controller,
                name: CommandName(rawValue: name), arguments: arguments, issuedAt: now,
                expiresAt: now.advanced(by: .seconds(60)), sequence: 1
            ).payload, retained: false, responseTopic: nil, lane: .normal)
    }
}

extension DeviceAction {
    fileprivate var isFinalAck: Bool {
        if case .publish(.ack(let ack, _), _) = self { ack.isFinal } else { false }
    }
}

extension JournalRecord {
    /// Whether it records the end of a command.
    fileprivate var isEnd: Bool { if case .finished = self { true } else { false } }
}

extension [DeviceAction] {
    fileprivate var records: [JournalRecord] {
        compactMap { if case .record(let record) = $0 { record } else { nil } }
    }

    fileprivate var acks: [AckMessage] {
        compactMap { if case .publish(.ack(let ack, _), _) = $0 { ack } else { nil } }
    }

    fileprivate var states: [StateMessage] {
        compactMap { if case .publish(.state(let state), _) = $0 { state } else { nil } }
    }
}

extension [AckMessage] {
    /// The one element; `nil` where there are none or more.
    fileprivate var only: AckMessage? { count == 1 ? first : nil }
}
