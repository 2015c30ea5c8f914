import Homeport
import HomeportTesting

/// The code of the page Tests without hardware.
enum TestingSamples {
    static func scripted() async throws {
        // sample: scripted channel
        let channel = ScriptedChannel(id: try ChannelID("test"))
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        let configuration = HomeConfiguration(
            home: try HomeID("home-1"), channels: [ChannelSetup(channel)], ledger: .memory)
        try await withHome(configuration) { home in
            let model = DeviceModel(rawValue: "sweeper-s1")
            let robot = try DeviceFactory.standard.makeDevice(
                model: model, id: DeviceID("sweeper-1"), home: home.id)
            channel.announce(robot.profile)
            let receipt = try await home.send(.locate, to: robot.id)
            let result = try await receipt.finished()
            print(result.record.state)
        }
        // end sample
    }
}
