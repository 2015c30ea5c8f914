import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import MQTTClient
import MosquittoAdapter
import Persistence

/// Lets a sweeping robot clean two rooms, and follows the command until it runs:
/// `swift run command-a-device mqtt://127.0.0.1:1883 sweeper-1`.
@main
struct CommandADevice {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let url = arguments.first ?? "mqtt://127.0.0.1:1883"
        let home = try HomeID("home-1")
        let device = try DeviceID(arguments.dropFirst().first ?? "sweeper-1")
        let controller = try ControllerID("example")

        let channel = try MosquittoChannel(
            MosquittoChannelConfiguration(
                broker: MQTTBrokerAddress(url: url), controller: controller),
            on: MQTTEventLoop())
        let clock = MachineClock()
        let ledger = GRDBCommandLedger(try .open(at: "example-ledger.sqlite")) { clock.now.wall }
        let invoker = CommandInvoker(
            controller: controller, ledger: ledger,
            factory: CommunicationStrategyFactory(channels: [channel]))

        try await channel.open()
        let survey = try await channel.survey(home, .device(device))
        guard let robot = survey.device(device) as? SweepingRobot else {
            print("\(device) is not a sweeping robot of \(home)")
            return await channel.close()
        }
        try await invoker.whileRunning {
            // `startCleaning` of an energy store would not compile.
            let command = robot.startCleaning(rooms: RoomSelection([1, 2]))
            let accepted = try await invoker.submit(command, to: robot)
            let end = try await invoker.outcome(of: accepted.id, goal: .accepted)
            print("\(accepted.id) is \(end.record.state.rawValue)")
        }
        await channel.close()
    }
}
