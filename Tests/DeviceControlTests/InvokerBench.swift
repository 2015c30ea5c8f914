import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
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
        connected: Bool = true, ledger: InMemoryCommandLedger = InMemoryCommandLedger(),
        clock: ManualClock = ManualClock()
    ) throws {
        channel = ScriptedChannel(connected: connected)
        self.ledger = ledger
        self.clock = clock
        controller = try ControllerID("ctl")
        home = try HomeID("home-1")
        device = try DeviceID("robot-1")
        boot = try BootID("b1")
        invoker = CommandInvoker(
            controller: controller, ledger: ledger,
            factory: CommunicationStrategyFactory(channels: [channel]), clock: clock,
            generator: SeededGenerator(seed: 7))
    }

    /// A sweeping robot with these last reports.
    func robot(_ status: PresenceReport.Status? = .online, revision: Int = 4) throws
        -> SweepingRobot
    {
        let made = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: "sweeper-s1"), id: device, home: home)
        var robot = SweepingRobot(profile: made.profile)
        if let status {
            robot.apply(PresenceReport(status: status, boot: boot, at: clock.now.wall))
        }
        robot.report.apply(state: ["activity": "docked"], revision: revision)
        return robot
    }

    // MARK: What the device hears

    /// The next command that is handed to the link.
    func nextSend() async -> OutgoingCommand? {
        for await send in channel.sends { return send.command }
        return nil
    }

    /// Waits until the ledger holds a command in a state.
    @discardableResult
    func recorded(_ state: CommandState) async -> CommandRecord? {
        for await record in ledger.changes where record.state == state { return record }
        return nil
    }

    // MARK: What the device says

    func say(_ content: IncomingMessage.Content, as other: DeviceID? = nil) {
        channel.deliver(IncomingMessage(home: home, device: other ?? device, content: content))
    }

    func presence(_ status: PresenceReport.Status, boot other: BootID? = nil) {
        let report = PresenceReport(status: status, boot: other ?? boot, at: clock.now.wall)
        say(.presence(PresenceMessage(device: device, report: report)))
    }

    func state(revision: Int) {
        say(
            .state(
                StateMessage(
                    device: device, boot: boot, revision: revision, at: clock.now.wall, by: nil,
                    state: [:])))
    }

    func ack(
        _ stage: AckStage, of id: CommandID, n: Int = 1, code: AckCode = .ok,
        result: JSONObject = [:], revision: Int = 5
    ) {
        say(.ack(makeAck(stage, of: id, n: n, code: code, result: result, revision: revision)))
    }

    func makeAck(
        _ stage: AckStage, of id: CommandID, n: Int = 1, code: AckCode = .ok,
        result: JSONObject = [:], revision: Int = 5, device other: DeviceID? = nil
    ) -> AckMessage {
        AckMessage(
            id: id, device: other ?? device, boot: boot, n: n, stage: stage, code: code,
            result: result, revision: revision, executions: 1, at: clock.now.wall)
    }

    /// Answers a `query-commands`.
    func answer(_ query: OutgoingCommand, _ entries: [JSONValue]) {
        ack(.accepted, of: query.id)
        ack(.succeeded, of: query.id, n: 2, result: ["commands": .array(entries)])
    }

    /// The ids that a `query-commands` asks for.
    func questioned(_ query: OutgoingCommand) throws -> [String] {
        let message = try CommandMessage(payload: query.payload)
        return message.arguments["ids"]?.array?.compactMap(\.string) ?? []
    }
}

extension AckMessage {
    /// As it appears in the answer to a question.
    func entry() throws -> JSONValue {
        ["id": .string(id.text), "outcome": "known", "ack": try JSONReader.read(payload)]
    }
}

extension InvokerBench {
    /// Waits until the ledger holds a command in a state that may have left.
    func recorded(_ state: CommandState, mayHaveLeft: Bool) async -> CommandRecord? {
        for await record in ledger.changes
        where record.state == state && record.progress.mayHaveLeft == mayHaveLeft {
            return record
        }
        return nil
    }

    /// Goes to the next deadline within a time.
    func advanceToDeadline(within time: Duration) async {
        clock.advance(by: await clock.sleeper(within: time))
    }
}
