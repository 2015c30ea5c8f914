import Connectivity
import DeviceDomain
import TestSupport
import Testing

@Suite struct CommunicationStrategyFactoryTests {
    private let mqtt = ScriptedChannel(kind: .mqtt)
    private let radio = ScriptedChannel(kind: ChannelKind(rawValue: "radio"))
    private let profile: DeviceProfile

    init() throws {
        profile = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: "sweeper-s1"), id: DeviceID("sweeper-1"),
            home: HomeID("home-1")
        ).profile
    }

    @Test func withoutRulesTheFirstChannelIsTheDefault() throws {
        let choice = try factory().choice(for: profile)
        #expect(choice.channel.kind == .mqtt)
        #expect(choice.reason == "no rule names sweeper-1, so it uses the default channel mqtt")
    }

    @Test func theNarrowestRuleHolds() throws {
        let kind = ChannelRule(.kind(.sweepingRobot), use: .mqtt)
        let model = ChannelRule(.model(profile.model), use: radio.kind)
        let device = ChannelRule(.device(profile.id, profile.home), use: .mqtt)
        let byKind = try factory([kind]).choice(for: profile)
        #expect(byKind.reason == "devices of kind sweeping-robot use mqtt")
        let byModel = try factory([kind, model]).choice(for: profile)
        #expect(byModel.reason == "devices of model sweeper-s1 use radio")
        #expect(byModel.channel.kind == radio.kind)
        let byDevice = try factory([kind, model, device]).choice(for: profile)
        #expect(byDevice.reason == "sweeper-1 is assigned to the channel mqtt")
    }

    @Test func aRuleForAnotherHomesDeviceDoesNotHold() throws {
        let rule = ChannelRule(.device(profile.id, try HomeID("home-2")), use: radio.kind)
        #expect(try factory([rule]).choice(for: profile).channel.kind == .mqtt)
    }

    @Test func aRuleForAMissingChannelIsAClearError() {
        let rule = ChannelRule(.kind(.sweepingRobot), use: ChannelKind(rawValue: "matter"))
        let error = #expect(throws: CommunicationError.self) {
            try factory([rule]).choice(for: profile)
        }
        #expect(error?.code == .noChannel)
        #expect(error?.message.contains("kind sweeping-robot use matter, but") == true)
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
