import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import TestSupport

/// A controller with a scripted channel, a ledger in memory and a clock that stands still.
///
/// The test plays the device: it waits for what is sent and delivers what the device says.
final class InvokerBench: Sendable {
    let channel: ScriptedChannel
    let ledger: InMemoryCommandLedger
    let clock: ManualClock
    let invoker: CommandInvoker
    let controller: ControllerID
    let home: HomeID
    let device: DeviceID
    let boot: BootID

    init(
        connected: Bool = true, traits: ChannelTraits = .all,
        ledger: InMemoryCommandLedger = InMemoryCommandLedger(),
        clock: ManualClock = ManualClock(), seed: UInt64 = 7
    ) throws {
        channel = ScriptedChannel(
            id: try ChannelID("scripted"), traits: traits, connected: connected)
        self.ledger = ledger
        self.clock = clock
        controller = try ControllerID("ctl")
        home = try HomeID("home-1")
        device = try DeviceID("robot-1")
        boot = try BootID("b1")
        invoker = CommandInvoker(
            controller: controller, ledger: ledger,
            factory: CommunicationStrategyFactory(channels: [channel]), clock: clock,
            generator: SeededGenerator(seed: seed))
    }

    /// A sweeping robot with these last reports.
    func robot(
        _ status: PresenceReport.Status? = .online, revision: Int = 4, id: DeviceID? = nil
    ) throws -> SweepingRobot {
        let made = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: "sweeper-s1"), id: id ?? device, home: home)
        var robot = SweepingRobot(profile: made.profile)
        if let status { robot.apply(Presence(status, boot: boot)) }
        robot.report.apply(state: ["activity": "docked"], revision: revision)
        return robot
    }

    /// An order for the robot, online unless another one is given.
    func order(
        _ command: CommandRequest<SweepingRobot> = .locate, for robot: SweepingRobot? = nil,
        options: CommandOptions = .init()
    ) throws -> CommandOrder {
        try CommandOrder(command, for: try robot ?? self.robot(), options: options)
    }

    /// Submits a command for the robot, online unless another one is given.
    func submit(
        _ command: CommandRequest<SweepingRobot> = .locate, for robot: SweepingRobot? = nil,
        options: CommandOptions = .init()
    ) async throws -> CommandRecord {
        try await invoker.submit(order(command, for: robot, options: options))
    }

    /// Takes over what dead processes left, knowing the robot by these reports.
    @discardableResult
    func resume(
        knowing robot: SweepingRobot?, readingAtOnce page: Int = 1_000
    ) async throws -> [CommandID] {
        try await invoker.resume(in: home, readingAtOnce: page) { _ in
            robot.map { [$0.id: LocatedDevice(device: $0)] } ?? [:]
        }
    }

    // MARK: What the device hears

    /// The next command that is handed to the link.
    func nextSend() async -> ScriptedSend? {
        for await send in channel.sends { return send }
        return nil
    }

    /// The next question about commands.
    func nextQuestion() async -> [CommandID]? {
        for await ids in channel.questions { return ids }
        return nil
    }

    /// Waits until the ledger holds a command in a state.
    @discardableResult
    func recorded(_ state: CommandState) async -> CommandRecord? {
        for await record in ledger.changes where record.state == state { return record }
        return nil
    }

    /// Waits until the ledger holds a command in a state that may have left.
    func recorded(_ state: CommandState, mayHaveLeft: Bool) async -> CommandRecord? {
        for await record in ledger.changes
        where record.state == state && record.progress.mayHaveLeft == mayHaveLeft {
            return record
        }
        return nil
    }

    /// Waits until the ledger holds a command with a message.
    func recorded(message: String) async -> CommandRecord? {
        for await record in ledger.changes where record.progress.message == message {
            return record
        }
        return nil
    }

    /// Goes to the next deadline within a time.
    func advanceToDeadline(within time: Duration) async {
        clock.advance(by: await clock.sleeper(within: time))
    }

    // MARK: What the device says

    func say(_ content: DeviceObservation.Content) {
        channel.deliver(content, from: device, in: home)
    }

    func presence(_ status: PresenceReport.Status, boot other: BootID? = nil) {
        say(.presence(Presence(status, boot: other ?? boot, at: clock.now.wall)))
    }

    func state(revision: Int) { say(.state(StateReport([:], revision: revision, boot: boot))) }

    func ack(
        _ stage: AckStage, of id: CommandID, n: Int = 1, code: AckCode = .ok,
        result: JSONObject = [:], revision: Int = 5
    ) {
        say(
            .evidence(evidence(stage, of: id, n: n, code: code, result: result, revision: revision))
        )
    }

    func evidence(
        _ stage: AckStage, of id: CommandID, n: Int = 1, code: AckCode = .ok,
        result: JSONObject = [:], revision: Int = 5, device other: DeviceID? = nil
    ) -> CommandEvidence {
        CommandEvidence(
            AckMessage(
                id: id, device: other ?? device, boot: boot, n: n, stage: stage, code: code,
                result: result, revision: revision, executions: 1, at: clock.now.wall))
    }

    /// What the log says of a command.
    func log(of id: CommandID) async throws -> [LedgerEvent.Kind] {
        try await ledger.events(of: id).map(\.kind)
    }

    /// The anomalies that were recorded.
    var anomalies: [String] {
        ledger.anomalies.compactMap { $0.detail["anomaly"]?.string }
    }
}

extension InMemoryCommandLedger {
    /// Takes in one command with bytes of its own.
    @discardableResult
    func accept(
        _ intent: CommandIntent, opening: CommandProgress, channel: ChannelID
    ) async throws -> CommandRecord {
        let draft = CommandDraft(intent: intent, opening: opening) { intent, sequence in
            PreparedCommand(
                intent: intent, channel: channel, sequence: sequence,
                payload: [UInt8](intent.id.text.utf8))
        }
        return try await accept([draft])[0]
    }
}
