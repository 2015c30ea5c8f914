import Connectivity
import DeviceDomain
import DeviceMessages
import HomeModel
import Testing

/// A device that two channels know.
@Suite struct SharedDeviceTests {
    private let house: ModelHouse
    private let radio: ChannelID
    private let node: DeviceID
    private var model: HomeModel

    init() throws {
        house = try ModelHouse()
        radio = try ChannelID("radio")
        node = try DeviceID("radio-5")
        let preferences = ChannelPreferences(channels: [house.channel, radio])
        model = HomeModel(house.home, preferences: preferences, same: [node: house.device])
    }

    private mutating func hear(
        _ content: DeviceObservation.Content, on channel: ChannelID? = nil, at seconds: Int = 0
    ) -> [DeviceChange] {
        let isFirst = channel == nil || channel == house.channel
        return model.apply(
            DeviceObservation(
                channel: channel ?? house.channel, home: house.home,
                device: isFirst ? house.device : node, content: content),
            at: house.noon.advanced(by: .seconds(seconds)), elapsed: .seconds(seconds))
    }

    private mutating func hearBoth() {
        for content in house.everything { _ = hear(content) }
        _ = hear(.description(house.profile.called(node)), on: radio)
        _ = hear(.presence(Presence(.online)), on: radio)
    }

    private var device: KnownDevice? { model.devices[house.device] }

    @Test mutating func itIsListedOnceUnderTheFirstId() throws {
        hearBoth()
        #expect(model.allDevices.map(\.id) == [house.device])
        #expect(device?.channel == house.channel)
        #expect(device?.ways?.all.map(\.channel) == [house.channel, radio])
        #expect(device?.ways?.all.map(\.device) == [house.device, node])
        #expect(device?.ways?.reason == "mqtt is the preferred channel that leads to it")
        #expect(device?.profile?.id == house.device)
    }

    @Test mutating func anotherChannelIsUsedWhileTheFirstIsDown() throws {
        hearBoth()
        let changes = model.linkLost(of: house.channel, at: house.noon, elapsed: .seconds(5))
        #expect(device?.channel == radio)
        #expect(device?.connection == .online(boot: nil))
        #expect(device?.ways?.reason == "mqtt does not lead to it at present")
        #expect(changes.first?.content == .channel("mqtt does not lead to it at present"))
        // What a state on the first channel counts means nothing on the other one.
        #expect(device?.state?.members["activity"] != nil)
        #expect(device?.state?.revision == nil)
        #expect(model.linkMade(of: house.channel, at: house.noon, elapsed: .seconds(9)).isEmpty)
        #expect(device?.channel == radio)
        _ = hear(.presence(house.online), at: 10)
        #expect(device?.channel == radio)
        #expect(model.nextReview == .seconds(70))
        #expect(model.review(at: house.noon, elapsed: .seconds(69)).isEmpty)
        let back = model.review(at: house.noon, elapsed: .seconds(70))
        #expect(device?.channel == house.channel)
        #expect(
            back.contains {
                $0.content == .channel("mqtt is the preferred channel that leads to it")
            })
        #expect(model.nextReview == nil)
    }

    @Test mutating func anOfflineDeviceUsesTheOtherChannel() throws {
        hearBoth()
        _ = hear(.presence(Presence(.offline, boot: house.boot)), at: 3)
        #expect(device?.channel == radio)
        #expect(device?.connection.isOnline == true)
    }

    @Test mutating func theNewestStateOfEitherHoldsWithItsSource() throws {
        hearBoth()
        let newer = StateReport(
            ["activity": "cleaning"], at: house.noon.advanced(by: .seconds(20)))
        let changes = hear(.state(newer), on: radio, at: 20)
        #expect(changes.map(\.channel) == [radio])
        #expect(device?.state?.members["activity"] == "cleaning")
        #expect(device?.ways?.stateSource == radio)
        var old = house.state(5)
        old.at = house.noon.advanced(by: .seconds(10))
        #expect(hear(.state(old), at: 21).isEmpty, "it was made before")
        #expect(device?.ways?.stateSource == radio)
        var later = house.state(6)
        later.at = house.noon.advanced(by: .seconds(30))
        _ = hear(.state(later), at: 31)
        #expect(device?.ways?.stateSource == house.channel)
        #expect(device?.state?.revision == 6)
    }

    @Test mutating func aDeviceIsGoneOnceEveryChannelSaysSo() throws {
        hearBoth()
        _ = hear(.removed)
        #expect(device?.channel == radio)
        let changes = hear(.removed, on: radio)
        #expect(changes.map(\.content) == [.removed])
        #expect(model.allDevices.isEmpty)
    }

    @Test func equalSerialNumbersJoinWhatWasTwoDevices() throws {
        var model = HomeModel(
            house.home, preferences: ChannelPreferences(channels: [house.channel, radio]))
        let (first, second) = (numbered(house.device), numbered(node))
        func hear(_ profile: DeviceProfile, on channel: ChannelID) -> [DeviceChange] {
            model.apply(
                DeviceObservation(
                    channel: channel, home: house.home, device: profile.id,
                    content: .description(profile)), at: house.noon)
        }
        _ = hear(second, on: radio)
        #expect(model.allDevices.map(\.id) == [node])
        let changes = hear(first, on: house.channel)
        #expect(changes.contains { $0.device == node && $0.content == .removed })
        #expect(model.allDevices.map(\.id) == [house.device])
        #expect(model.devices[house.device]?.ways?.all.count == 2)
        #expect(
            Set(model.describedDevices.map(\.profile.id)) == [house.device, node],
            "the next process learns it from the ledger")
    }

    @Test func aRuleOrdersTheChannels() throws {
        let rule = ChannelRule(
            .device(house.device, house.home), prefer: [radio, house.channel])
        let preferences = ChannelPreferences(
            channels: [house.channel, radio], rules: [rule])
        var model = HomeModel(house.home, preferences: preferences)
        for channel in [house.channel, radio] {
            for content in [.description(house.profile), .presence(house.online)]
                as [DeviceObservation.Content]
            {
                _ = model.apply(
                    DeviceObservation(
                        channel: channel, home: house.home, device: house.device,
                        content: content), at: house.noon)
            }
        }
        #expect(model.devices[house.device]?.channel == radio)
        #expect(model.devices[house.device]?.ways?.all.map(\.channel) == [radio, house.channel])
    }

    private func numbered(_ id: DeviceID) -> DeviceProfile {
        DeviceProfile(
            id: id, home: house.home, kind: .sweepingRobot, model: house.profile.model,
            name: "robot", firmware: "1", capabilities: [], commands: [], serial: "S-77")
    }

    // MARK: Beginning

    @Test(arguments: [true, false])
    mutating func whatBothChannelsSayIsToldOnce(startsWithRadio: Bool) throws {
        let members: JSONObject = ["activity": "docked"]
        let onRadio: [DeviceObservation.Content] = [
            .description(house.profile.called(node)), .presence(Presence(.online)),
            .state(StateReport(members)),
        ]
        var changes: [DeviceChange] = []
        if startsWithRadio {
            for content in onRadio { changes += hear(content, on: radio) }
            for content in house.everything { changes += hear(content) }
        } else {
            for content in house.everything { changes += hear(content) }
            for content in onRadio { changes += hear(content, on: radio) }
        }
        let presences = changes.count {
            if case .presence = $0.content { true } else { false }
        }
        let states = changes.count { if case .state = $0.content { true } else { false } }
        #expect(presences == 1 && states == 1, "\(changes.map(\.content))")
        #expect(!changes.contains { $0.content == .doubt })
        #expect(device?.presenceHistory.map(\.connection.description) == ["online"])
        #expect(device?.channel == house.channel)
    }

    @Test mutating func aDeviceThatGoesAwayOnTheChannelInUseIsToldSo() throws {
        hearBoth()
        _ = hear(.presence(Presence(.offline)), on: radio, at: 2)
        let changes = hear(.presence(Presence(.offline, boot: house.boot)), at: 3)
        #expect(
            changes.contains { change in
                guard case .presence(let presence) = change.content else { return false }
                return presence.status == .offline
            })
        #expect(device?.presenceHistory.map(\.connection.description) == ["online", "offline"])
    }

    // MARK: A wrong rule

    @Test(arguments: [false, true], [false, true])
    mutating func aRuleThatJoinsTwoDevicesOfOneChannelIsNotApplied(
        otherFirst: Bool, isAlone: Bool
    ) throws {
        let channels = isAlone ? [house.channel] : [house.channel, radio]
        model = HomeModel(
            house.home, preferences: ChannelPreferences(channels: channels),
            same: [node: house.device])
        var changes: [DeviceChange] = []
        for id in otherFirst ? [node, house.device] : [house.device, node] {
            for content in [
                .description(house.profile.called(id)),
                .state(StateReport(["name": .string(id.text)], revision: 1)),
            ] as [DeviceObservation.Content] {
                changes += model.apply(
                    DeviceObservation(
                        channel: house.channel, home: house.home, device: id, content: content),
                    at: house.noon)
            }
        }
        #expect(model.allDevices.map(\.id) == [house.device, node])
        for id in [house.device, node] {
            let known = model.devices[id]
            #expect(known?.state?.members["name"]?.string == id.text, "nothing is mixed up")
            #expect(known?.profile?.id == id)
            #expect(known?.problem?.contains("d-1 and radio-5, which are two devices") == true)
            #expect(
                changes.contains { change in
                    guard change.device == id, case .problem = change.content else { return false }
                    return true
                }, "watch tells it")
            #expect(model.identities.device(id) == id, "a command goes to the device that it names")
        }
    }

    /// A device that comes back by another id, such as another number on its server.
    @Test(arguments: [true, false])
    mutating func anIdThatIsThereNoMoreSaysNothingAgainstARule(isFromEarlierRun: Bool) throws {
        let other = try DeviceID("radio-9")
        model = HomeModel(
            house.home, preferences: ChannelPreferences(channels: [house.channel, radio]),
            same: [node: house.device, other: house.device])
        if isFromEarlierRun {
            model.remember(RememberedDevice(profile: house.profile.called(node), channel: radio))
        } else {
            _ = hear(.description(house.profile.called(node)), on: radio)
            _ = hear(.removed, on: radio)
        }
        _ = model.apply(
            DeviceObservation(
                channel: radio, home: house.home, device: other,
                content: .description(house.profile.called(other))), at: house.noon)
        #expect(model.allDevices.map(\.id) == [house.device])
        #expect(device?.problem == nil)
        #expect(model.identities.id(of: house.device, on: radio) == other)
    }

    @Test mutating func aRuleForOneDeviceOfEachChannelIsApplied() throws {
        hearBoth()
        #expect(model.allDevices.allSatisfy { $0.problem == nil })
        #expect(model.identities.device(node) == house.device)
    }
}
