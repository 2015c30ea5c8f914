import Homeport
import Logging
import ServiceLifecycle
import UnixSignals

/// The code of the pages Homeport and Getting started.
enum GettingStartedSamples {
    static func overview(broker: String) async throws {
        // sample: overview
        try await withHome("home-1", at: broker) { home in
            for robot in try await home.devices(of: SweepingRobot.self) {
                let receipt = try await home.send(.startCleaning(rooms: [1, 2]), to: robot)
                print(robot.name, try await receipt.outcome(.accepted))
            }
        }
        // end sample
    }

    static func firstProgram() async throws {
        // sample: first program
        let broker = "mqtt://127.0.0.1:1883"
        try await withHome("home-1", at: broker) { home in
            for device in try await home.devices() {
                print(device.id, device.profile.kind.rawValue, device.report.connection)
            }
        }
        // end sample
    }

    static func password(broker: String) async throws {
        // sample: password
        let connection = BrokerConnection(
            try MQTTBrokerAddress(url: broker),
            credentials: try MQTTCredentials(contentsOfFile: "broker.credentials"))
        let configuration = HomeConfiguration(
            home: try HomeID("home-1"), channels: [.homeportMQTT(connection)])
        try await withHome(configuration) { home in print(try await home.devices().count) }
        // end sample
    }

    static func service(broker: String, logger: Logger) async throws {
        // sample: service
        let home = try Home(HomeConfiguration(home: "home-1", broker: broker))
        let log = ChangeLog(home: home) { print($0) }
        let group = ServiceGroup(
            services: [home, log], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await group.run()
        // end sample
    }

    static func firstCommand(_ home: Home) async throws -> WaitResult? {
        // sample: first command
        let robots = try await home.devices(of: SweepingRobot.self)
        guard let robot = robots.first else { return nil }
        let receipt = try await home.send(.setSuctionLevel(.turbo), to: robot)
        let result = try await receipt.finished(within: .seconds(10))
        print(result)
        // end sample
        return result
    }
}

// sample: a second service
/// Writes what changes in a home until the group ends.
struct ChangeLog: Service {
    let home: Home
    let write: @Sendable (String) -> Void

    func run() async {
        await cancelWhenGracefulShutdown {
            for await change in home.changes() { write("\(change)") }
        }
    }
}
// end sample
