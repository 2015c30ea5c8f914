import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import HomeportTesting
import Persistence
import TestSupport

/// One process of a controller with its ledger in a file; the test plays the device.
struct Workbench: Sendable {
    let channel: ScriptedChannel
    let invoker: CommandInvoker
    let home: HomeID
    let robot: SweepingRobot

    init(ledger path: String) throws {
        let clock = ManualClock()
        home = try HomeID("home-1")
        channel = ScriptedChannel(id: try ChannelID("mqtt"))
        let made = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: "sweeper-s1"), id: try DeviceID("robot-1"), home: home)
        robot = SweepingRobot(profile: made.profile)
        invoker = CommandInvoker(
            controller: try ControllerID("ctl"),
            ledger: GRDBCommandLedger(try LedgerDatabase.open(at: path)) { clock.now.wall },
            factory: CommunicationStrategyFactory(channels: [channel]), clock: clock)
    }

    /// Lets the robot appear.
    /// - Returns: it, with its presence.
    func announce(_ status: PresenceReport.Status) -> SweepingRobot {
        let presence = Presence(status, boot: BootID(rawValue: "b1"))
        channel.announce(robot.profile, presence: presence)
        var robot = robot
        robot.apply(presence)
        return robot
    }

    /// Takes over what a dead process left open.
    func resume(_ robot: SweepingRobot) async throws -> [CommandID] {
        try await invoker.resume(in: home) { _ in
            [robot.id: LocatedDevice(device: robot, heardOn: channel.id)]
        }
    }

    /// The next command that is handed to the link.
    func nextSend() async -> PreparedCommand? {
        for await send in channel.sends { return send.command }
        return nil
    }
}
