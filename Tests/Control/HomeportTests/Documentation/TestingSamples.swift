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
            let model = DeviceModel("sweeper-s1")
            let robot = try DeviceFactory.standard.makeDevice(
                model: model, id: DeviceID("sweeper-1"), home: home.id)
            channel.announce(robot.profile)
            let receipt = try await home.send(.locate, to: robot.id)
            let result = try await receipt.finished()
            print(result.record.state)
        }
        // end sample
    }

    static func reacted() async throws {
        // sample: reaction
        let channel = ScriptedChannel(id: try ChannelID("test"))
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        let configuration = HomeConfiguration(
            home: try HomeID("home-1"), channels: [ChannelSetup(channel)], ledger: .memory)
        try await withHome(configuration) { home in
            let robot = try DeviceID("sweeper-1")
            channel.announce(
                try DeviceFactory.standard.makeDevice(
                    model: DeviceModel("sweeper-s1"), id: robot, home: home.id
                ).profile)
            let events = home.events()  // subscribed from here on
            async let reaction: Void = locateWhatIsStuck(in: home, events)
            channel.event(.stuck, ["code": "WHEEL_BLOCKED"], of: robot, in: home.id)
            for await send in channel.sends.prefix(1) {
                print(send.command.intent.name)  // locate
            }
            channel.deliver(
                .telemetry(TelemetryReport(["batteryPercent": 19])), from: robot, in: home.id)
            channel.loseLink()
            try await reaction
        }
        // end sample
    }

    // sample: what is tested
    /// Lets the first robot that is stuck say where it is.
    static func locateWhatIsStuck(
        in home: Home, _ events: some AsyncSequence<DeviceEvent, Never>
    ) async throws {
        for await event in events {
            guard case .stuck = event.fact else { continue }
            _ = try await home.send(.locate, to: event.device)
            return
        }
    }
    // end sample
}
