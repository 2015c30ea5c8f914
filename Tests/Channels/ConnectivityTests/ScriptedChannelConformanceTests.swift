import Connectivity
import DeviceDomain
import DeviceMessages
import HomeportTesting
import Synchronization
import Testing

/// The scripted channel keeps the contract, and the suite sees a channel that does not.
@Suite(.timeLimit(.minutes(1))) struct ScriptedChannelConformanceTests {
    @Test(arguments: ConformanceRule.allCases) func itKeepsTheContract(rule: ConformanceRule)
        async throws
    {
        let conformance = ChannelConformance(of: try ScriptedPeer())
        #expect(await conformance.violation(of: rule) == nil)
    }

    @Test func itKeepsTheContractWithoutTraits() async throws {
        let conformance = ChannelConformance(of: try ScriptedPeer(traits: [.delivery]))
        let violations = await conformance.violations()
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test(arguments: [
        (ScriptedPeer.Defect.sendsTwice, ConformanceRule.aCommandArrivesOnce),
        (.doesAnything, .nothingUnknownIsDone),
        (.isSilent, .evidenceIsOfTheCommand),
        (.namesAnotherDevice, .evidenceIsOfTheCommand),
        (.staysAway, .theLinkIsRepaired),
        (.neverBreaks, .nothingLeavesWithoutALink),
        (.listsNothing, .devicesAreListed),
        (.isOffline, .devicesAreListed),
        (.makesDevices, .garbageChangesNothing),
    ])
    func aDefectIsSeen(defect: ScriptedPeer.Defect, rule: ConformanceRule) async throws {
        let peer = try ScriptedPeer(defect: defect)
        let conformance = ChannelConformance(of: peer, within: .milliseconds(300))
        #expect(await conformance.violation(of: rule)?.rule == rule)
    }
}

/// A device behind scripted channels.
final class ScriptedPeer: ChannelPeer {
    /// What is wrong with the channel.
    enum Defect: Sendable {
        case sendsTwice, doesAnything, isSilent, namesAnotherDevice, staysAway, neverBreaks
        case listsNothing, isOffline, makesDevices
    }

    let home: HomeID
    let controller: ControllerID
    let device: DeviceID
    let command = CommandName.locate
    let arguments: JSONObject = [:]
    private let other: DeviceID
    private let profile: DeviceProfile
    private let traits: ChannelTraits
    private let defect: Defect?
    private let state = Mutex((channels: [ScriptedChannel](), received: 0))

    init(traits: ChannelTraits = Set(ChannelTrait.allCases), defect: Defect? = nil) throws {
        home = try HomeID("home-1")
        controller = try ControllerID("ctl")
        device = try DeviceID("sweeper-1")
        other = try DeviceID("sweeper-2")
        profile = try DeviceFactory.standard.makeDevice(
            model: DeviceModel(rawValue: "sweeper-s1"), id: device, home: home
        ).profile
        self.traits = traits
        self.defect = defect
    }

    func makeChannel() async throws -> any CommunicationChannel {
        let channel = ScriptedChannel(id: try ChannelID("scripted"), traits: traits)
        channel.onSend { [weak self] send in self?.react(to: send) ?? [] }
        state.withLock { $0.channels.append(channel) }
        announce(on: channel)
        return channel
    }

    private func announce(on channel: ScriptedChannel) {
        guard defect != .listsNothing else { return }
        channel.announce(profile, presence: Presence(defect == .isOffline ? .offline : .online))
    }

    private func react(to send: ScriptedSend) -> [DeviceObservation.Content] {
        state.withLock { $0.received += defect == .sendsTwice ? 2 : 1 }
        guard defect != .isSilent else { return [] }
        if send.command.intent.name != command, defect != .doesAnything {
            return send.acknowledged(.rejected)
        }
        guard defect == .namesAnotherDevice else { return send.acknowledged(.succeeded) }
        var evidence = send.evidence(.succeeded)
        evidence.device = other
        return [.evidence(evidence)]
    }

    func receivedCommands() async throws -> Int { state.withLock { $0.received } }

    func loseLink() async throws {
        for channel in state.withLock({ $0.channels }) {
            channel.loseLink()
            // Its link is reported as lost, and works all the same.
            if defect == .neverBreaks { channel.restoreLink() }
        }
    }

    func restoreLink() async throws {
        for channel in state.withLock({ $0.channels }) {
            channel.restoreLink()
            if defect != .staysAway { announce(on: channel) }
        }
    }

    func sendGarbage() async throws {
        for channel in state.withLock({ $0.channels }) {
            channel.deliver(.problem(.state, "no JSON"), from: device, in: home)
            channel.deliver(.problem(.state, "no JSON"), from: other, in: home)
            guard defect == .makesDevices else { continue }
            channel.deliver(.description(profile.called(other)), from: other, in: home)
        }
    }
}
