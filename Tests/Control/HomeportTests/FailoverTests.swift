import Homeport
import HomeportTesting
import TestSupport
import Testing

/// One device on two channels.
@Suite(.timeLimit(.minutes(1))) struct FailoverTests {
    private let mqtt: ScriptedChannel
    private let radio: ScriptedChannel
    private let house: ScriptedHouse
    private let sweeper: DeviceID
    private let node: DeviceID
    private let clock = ManualClock()

    init() throws {
        mqtt = ScriptedChannel(id: try ChannelID("mqtt"))
        radio = ScriptedChannel(id: try ChannelID("radio"))
        house = try ScriptedHouse(mqtt, radio)
        sweeper = try DeviceID("sweeper-1")
        node = try DeviceID("radio-5")
    }

    private func withHome(
        ledger: LedgerLocation = .memory, takesOver: Bool = false,
        _ body: (Home) async throws -> Void
    ) async throws {
        var configuration = house.configuration(ledger: ledger)
        configuration.aliases = [node: sweeper]
        configuration.clock = clock
        configuration.takesOverOpenCommands = takesOver
        try await Homeport.withHome(configuration, body)
    }

    private func announce(on channels: ScriptedChannel...) throws {
        for channel in channels {
            let id = channel === radio ? "radio-5" : "sweeper-1"
            try house.announce("sweeper-s1", as: id, on: channel)
        }
    }

    private func obey() {
        for channel in [mqtt, radio] {
            channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        }
    }

    /// Waits until the device uses a channel.
    private func used(_ channel: ScriptedChannel, in home: Home) async {
        for await _ in home.changes(of: .everyDevice)
        where home.latest(sweeper)?.channel == channel.id {
            return
        }
    }

    @Test func itIsOneDeviceByEitherId() async throws {
        try announce(on: mqtt, radio)
        try await withHome { home in
            let ids = try await home.devices().map { device -> DeviceID in device.id }
            #expect(ids == [sweeper])
            #expect(try await home.find("radio-5").id == sweeper)
            #expect(try await home.find("sweeper-1").ways?.all.count == 2)
            let counts = await home.channels().map { status -> Int in status.devices }
            #expect(counts == [1, 0])
        }
    }

    @Test func aCommandGoesOverTheChannelInUse() async throws {
        try announce(on: mqtt, radio)
        obey()
        try await withHome { home in
            let first = try await home.send(.locate, to: sweeper)
            #expect(first.record.prepared.channel == mqtt.id)
            #expect(try await first.finished().record.state == .succeeded)
            mqtt.loseLink()
            await used(radio, in: home)
            let second = try await home.send(.locate, to: sweeper)
            #expect(second.record.prepared.channel == radio.id)
            #expect(second.record.intent.device == sweeper)
            #expect(try await second.finished().record.state == .succeeded)
        }
        #expect(await mqtt.allSends().count == 1)
        // The other channel knows it by its own id.
        #expect(await radio.allSends().map(\.command.intent.device) == [node])
    }

    @Test func whatNeverLeftFollowsItsDevice() async throws {
        try announce(on: mqtt)
        obey()
        try await withHome { home in
            _ = try await home.survey()
            mqtt.loseLink()
            let receipt = try await home.send(
                .setSuctionLevel, ["level": "turbo"], to: sweeper)
            #expect(receipt.record.state == .queued)
            #expect(receipt.record.prepared.channel == mqtt.id)
            try announce(on: radio)
            let end = try await receipt.finished().record
            #expect(end.state == .succeeded)
            #expect(end.prepared.channel == radio.id)
            #expect(end.prepared.sequence == receipt.record.prepared.sequence)
            let events = try await home.events(of: receipt.id)
            #expect(events.contains { $0.kind == .rerouted })
            mqtt.restoreLink()
        }
        #expect(await mqtt.allSends().isEmpty)
        #expect(await radio.allSends().count == 1)
    }

    @Test func whatMayHaveLeftStaysUntilItsOutcomeIsKnown() async throws {
        try announce(on: mqtt, radio)
        radio.onSend { $0.acknowledged(.accepted, .succeeded) }
        mqtt.answer(.hold)
        try await withHome { home in
            let receipt = try await home.send(
                .setSuctionLevel, ["level": "turbo"], to: sweeper)
            for await _ in mqtt.sends { break }
            mqtt.loseLink()
            await used(radio, in: home)
            let later = try await home.send(.locate, to: sweeper)
            #expect(try await later.finished().record.prepared.channel == radio.id)
            #expect(try await home.command(receipt.id)?.prepared.channel == mqtt.id)
            mqtt.onSend { $0.acknowledged(.accepted, .succeeded) }
            mqtt.restoreLink()
            #expect(try await receipt.finished().record.state == .succeeded)
        }
        #expect(await radio.allSends().map(\.command.intent.name) == [.locate])
    }

    @Test func thePreferredChannelIsUsedAgainAfterAMinute() async throws {
        try announce(on: mqtt, radio)
        obey()
        try await withHome { home in
            _ = try await home.survey()
            mqtt.loseLink()
            await used(radio, in: home)
            mqtt.restoreLink()
            mqtt.deliver(.presence(Presence(.online)), from: sweeper, in: house.id)
            for await change in home.linkChanges() {
                if case .link(mqtt.id, let link) = change, link.isConnected { break }
            }
            let early = try await home.send(.locate, to: sweeper)
            #expect(early.record.prepared.channel == radio.id)
            #expect(home.latest(sweeper)?.ways?.reason.contains("for 60 s") == true)
            clock.advance(by: .seconds(59))
            #expect(home.latest(sweeper)?.channel == radio.id)
            clock.advance(by: .seconds(1))
            await used(mqtt, in: home)
            let late = try await home.send(.locate, to: sweeper)
            #expect(late.record.prepared.channel == mqtt.id)
        }
    }

    @Test func aLaterProcessGoesOnWhereTheLedgerSays() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file(folder.path + "/ledger.sqlite")
        try announce(on: mqtt)
        var id: CommandID?
        try await withHome(ledger: ledger) { home in
            _ = try await home.survey()
            mqtt.loseLink()
            id = try await home.send(.setSuctionLevel, ["level": "turbo"], to: sweeper).id
        }
        let command = try #require(id)
        let (other, second) = (
            ScriptedChannel(id: mqtt.id, connected: false), ScriptedChannel(id: radio.id)
        )
        second.onSend { $0.acknowledged(.accepted, .succeeded) }
        let next = try ScriptedHouse(other, second)
        try next.announce("sweeper-s1", as: "radio-5", on: second)
        var configuration = next.configuration(ledger: ledger)
        configuration.aliases = [node: sweeper]
        configuration.clock = clock
        try await Homeport.withHome(configuration) { home in
            _ = try await home.survey()
            try await home.takeOverOpenCommands()
            for await _ in second.sends { break }
            let channel = try await home.command(command)?.prepared.channel
            #expect(channel == radio.id)
            let problems = try await home.verifyAudit().problems
            #expect(problems.isEmpty)
        }
        #expect(await other.allSends().isEmpty)
    }
}
