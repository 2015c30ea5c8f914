import Connectivity
import DeviceDomain
import Testing

@testable import Homeport

@Suite struct RuleCheckTests {
    private let mqtt = ChannelID.literal("mqtt")
    private let house = ChannelID.literal("house")
    private let robot = DeviceID.literal("sweeper-1")

    private func known(_ id: StaticString, on channel: ChannelID) -> RememberedDevice {
        RememberedDevice(
            profile: .undescribed(.literal(id), in: .literal("home-1")), channel: channel)
    }

    private func findings(_ known: [RememberedDevice]) -> [Finding] {
        RuleCheck(
            channels: [mqtt, house],
            aliases: [.literal("house-5"): robot, .literal("house-6"): robot], known: known
        ).findings
    }

    @Test func aDeviceWithOneIdOnEachChannelIsFine() {
        #expect(
            findings([
                known("sweeper-1", on: mqtt), known("house-5", on: house),
                known("house-7", on: house),
            ]).isEmpty)
    }

    @Test func aRuleThatJoinsTwoDevicesOfOneChannelIsNamed() {
        let findings = findings([
            known("sweeper-1", on: mqtt), known("house-6", on: house), known("house-5", on: house),
        ])
        #expect(findings.count == 1)
        #expect(findings.first?.status == .warning)
        #expect(
            findings.first?.message.contains(
                "joins house-5 and house-6, which are two devices of the channel house") == true)
        #expect(findings.first?.remedy.contains("on other channels") == true)
    }
}
