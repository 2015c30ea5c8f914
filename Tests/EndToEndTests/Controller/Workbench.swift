import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Persistence
import TestSupport

/// One process of a controller with its ledger in a file; the test plays the device.
struct Workbench: Sendable {
    let channel = ScriptedChannel()
    let invoker: CommandInvoker
    let home: HomeID
    let device: DeviceID
    private let boot: BootID
    private let now = Timestamp(milliseconds: 1_764_000_000_000)

    init(ledger path: String) throws {
        let clock = ManualClock()
        home = try HomeID("home-1")
        device = try DeviceID("robot-1")
        boot = try BootID("b1")
        invoker = CommandInvoker(
            controller: try ControllerID("ctl"),
            ledger: GRDBCommandLedger(try LedgerDatabase.open(at: path)) { clock.now.wall },
            factory: CommunicationStrategyFactory(channels: [channel]), clock: clock)
    }

    /// A sweeping robot with this presence.
    func robot(_ status: PresenceReport.Status) throws -> SweepingRobot {
        let made = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: "sweeper-s1"), id: device, home: home)
        var robot = SweepingRobot(profile: made.profile)
        robot.apply(PresenceReport(status: status, boot: boot, at: now))
        return robot
    }

    /// The next command that is handed to the link.
    func nextSend() async -> OutgoingCommand? {
        for await send in channel.sends { return send.command }
        return nil
    }

    func presence(_ status: PresenceReport.Status) {
        say(
            .presence(
                PresenceMessage(
                    device: device, report: PresenceReport(status: status, boot: boot, at: now))))
    }

    /// Answers a question: the device never had the command.
    func answerNever(_ question: OutgoingCommand, about id: CommandID) {
        acknowledge(question, .accepted, n: 1)
        acknowledge(
            question, .succeeded, n: 2,
            result: ["commands": [["id": .string(id.text), "outcome": "never"]]])
    }

    private func acknowledge(
        _ command: OutgoingCommand, _ stage: AckStage, n: Int, result: JSONObject = [:]
    ) {
        say(
            .ack(
                AckMessage(
                    id: command.id, device: device, boot: boot, n: n, stage: stage,
                    result: result, revision: 1, executions: 1, at: now)))
    }

    private func say(_ content: IncomingMessage.Content) {
        channel.deliver(IncomingMessage(home: home, device: device, content: content))
    }
}
