import Connectivity
import DeviceDomain
import HomeportTesting
import Testing

@Suite struct CommunicationStrategyFactoryTests {
    private let mqtt: ScriptedChannel
    private let radio: ScriptedChannel
    private let profile: DeviceProfile

    init() throws {
        mqtt = ScriptedChannel(id: try ChannelID("mqtt"))
        radio = ScriptedChannel(id: try ChannelID("radio"))
        profile = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: "sweeper-s1"), id: DeviceID("sweeper-1"),
            home: HomeID("home-1")
        ).profile
    }

    @Test func withoutRulesTheFirstChannelIsTheDefault() throws {
        let choice = try factory().choice(for: profile)
        #expect(choice.channel.id == mqtt.id)
        #expect(choice.reason == "no rule names sweeper-1, so it uses the default channel mqtt")
    }

    @Test func theChannelThatHeardADeviceComesBeforeTheDefault() throws {
        let choice = try factory().choice(for: profile, heardOn: radio.id)
        #expect(choice.channel.id == radio.id)
        #expect(choice.reason == "sweeper-1 was heard on the channel radio")
    }

    @Test func theNarrowestRuleHolds() throws {
        let kind = ChannelRule(.kind(.sweepingRobot), use: mqtt.id)
        let model = ChannelRule(.model(profile.model), use: radio.id)
        let device = ChannelRule(.device(profile.id, profile.home), use: mqtt.id)
        let byKind = try factory([kind]).choice(for: profile, heardOn: radio.id)
        #expect(byKind.reason == "devices of kind sweeping-robot use the channel mqtt")
        let byModel = try factory([kind, model]).choice(for: profile)
        #expect(byModel.reason == "devices of model sweeper-s1 use the channel radio")
        #expect(byModel.channel.id == radio.id)
        let byDevice = try factory([kind, model, device]).choice(for: profile)
        #expect(byDevice.reason == "sweeper-1 is assigned to the channel mqtt")
    }

    @Test func aRuleForAnotherHomesDeviceDoesNotHold() throws {
        let rule = ChannelRule(.device(profile.id, try HomeID("home-2")), use: radio.id)
        #expect(try factory([rule]).choice(for: profile).channel.id == mqtt.id)
    }

    @Test func twoChannelsOfOneKindStandSideBySide() throws {
        #expect(mqtt.kind == radio.kind)
        #expect(factory().allChannels.map(\.id) == [mqtt.id, radio.id])
    }

    @Test func aRuleForAMissingChannelIsAClearError() throws {
        let rule = ChannelRule(.kind(.sweepingRobot), use: try ChannelID("matter"))
        let error = #expect(throws: CommunicationError.self) {
            try factory([rule]).choice(for: profile)
        }
        #expect(error?.code == .noChannel)
        #expect(error?.certainty == .neverLeft)
        #expect(error?.message.contains("use the channel matter, but") == true)
    }

    @Test func withoutChannelsNothingIsChosen() {
        let error = #expect(throws: CommunicationError.self) {
            try CommunicationStrategyFactory(channels: []).choice(for: profile)
        }
        #expect(error?.code == .noChannel)
    }

    private func factory(_ rules: [ChannelRule] = []) -> CommunicationStrategyFactory {
        CommunicationStrategyFactory(channels: [mqtt, radio], rules: rules)
    }
}
