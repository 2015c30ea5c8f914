import Connectivity
import DeviceDomain
import DeviceMessages
import HomeModel
import Testing

@Suite struct HomeModelTests {
    private let house: ModelHouse

    init() throws { house = try ModelHouse() }

    @Test func aDeviceHasItsLabelFromWheneverItIsKnown() throws {
        let house = try ModelHouse()
        var model = HomeModel(house.home)
        var labels = HomeLabels()
        try labels.addRoom(GivenName("Hall"))
        try labels.name(house.device, GivenName("Robbie"))
        #expect(model.learn(labels).isEmpty)
        for content in house.everything { _ = model.apply(house.said(content), at: house.noon) }
        #expect(model.devices[house.device]?.name == "Robbie")
        try labels.name(house.device, nil)
        try labels.move(house.device, to: "hall")
        let label = DeviceLabel(room: try GivenName("Hall"))
        #expect(
            model.learn(labels) == [
                DeviceChange(device: house.device, channel: house.channel, content: .label(label))
            ])
        #expect(model.learn(labels).isEmpty)
        #expect(model.devices[house.device]?.name == house.profile.name)
        #expect(model.devices[house.device]?.label == label)
    }

    @Test func aDeviceIsKnownByWhatWasHeardOfIt() throws {
        var model = HomeModel(house.home)
        #expect(model.apply(house.said(.presence(house.online)), at: house.noon).count == 1)
        #expect(model.apply(house.said(.description(house.profile)), at: house.noon).count == 1)
        _ = model.apply(house.said(.state(house.state(4))), at: house.noon)
        let device = try #require(model.devices[house.device])
        #expect(device.identity == .described(house.profile))
        #expect(device.connection == .online(boot: house.boot))
        #expect(device.state?.revision == 4)
        #expect(device.channel == house.channel)
        #expect(device.heardAt == house.noon)
        #expect(device.device() is SweepingRobot)
        #expect(device.report.revision == 4)
    }

    @Test func whatComesAgainChangesNothing() {
        var model = HomeModel(house.home)
        for content in house.everything {
            #expect(model.apply(house.said(content), at: house.noon).count == 1)
        }
        for content in house.everything {
            #expect(model.apply(house.said(content), at: house.noon).isEmpty, "\(content)")
        }
    }

    @Test func aChangeReadsAsOneLine() throws {
        var model = HomeModel(house.home)
        let lines = [
            DeviceObservation.Content.presence(house.online),
            .state(StateReport(["b": 2, "a": "x"])),
            .telemetry(TelemetryReport(["battery": 76])), .problem(.ack, "no JSON"), .removed,
        ].flatMap { model.apply(house.said($0), at: house.noon) }.map(\.description)
        let device = house.device.text
        #expect(
            lines == [
                "\(device) is online", "\(device) state {\"a\":\"x\",\"b\":2}",
                "\(device) telemetry {\"battery\":76}",
                "\(device) says something unreadable (ack): no JSON", "\(device) was removed",
            ])
    }

    @Test func aDeviceHasItsFirstNamesAndNoMore() throws {
        var model = HomeModel(house.home)
        for round in 1...50 {
            let members = (1...10).map { ("m\(round)-\($0)", JSONValue.integer($0)) }
            let values = Dictionary(members) { $1 }.merging(["known": .integer(round)]) { $1 }
            let report = model.apply(
                house.said(.telemetry(TelemetryReport(values))), at: house.noon)
            _ = model.apply(house.said(.state(StateReport(values))), at: house.noon)
            guard case .telemetry(let sample)? = report.first?.content else {
                Issue.record("no sample")
                return
            }
            #expect(sample.values["known"] == .integer(round))
            #expect(sample.values.count == (round < 7 ? 11 : round == 7 ? 4 : 1))
        }
        let device = try #require(model.devices[house.device])
        #expect(device.state?.members == ["known": 50])
        #expect(device.problem?.contains("telemetry: 10 members") == true)
        #expect(device.problem?.contains("first 64 names") == true)
        #expect(device.problem?.contains("first 128 names") == true)
    }

    @Test func everySampleIsAChange() {
        var model = HomeModel(house.home)
        let sample = TelemetryReport(["x": 1], boot: house.boot, n: 1)
        for _ in 1...2 {
            #expect(
                model.apply(house.said(.telemetry(sample)), at: house.noon).map(\.content) == [
                    .telemetry(sample)
                ])
        }
    }

    /// One that was held up, or comes again, is told, but it does not replace the newest one.
    @Test func anOlderSampleOfTheSameStartIsNotTheNewest() throws {
        var model = HomeModel(house.home)
        func said(_ n: Int, _ boot: BootID) -> TelemetryReport {
            TelemetryReport(["n": .integer(n)], boot: boot, n: n)
        }
        for n in [7, 6] {
            let told = model.apply(house.said(.telemetry(said(n, house.boot))), at: house.noon)
            #expect(told.map(\.content) == [.telemetry(said(n, house.boot))])
        }
        #expect(model.devices[house.device]?.telemetry?.n == 7)
        let next = try BootID("b2")
        _ = model.apply(house.said(.telemetry(said(1, next))), at: house.noon)
        #expect(model.devices[house.device]?.telemetry?.n == 1, "a new start counts anew")
    }

    @Test func aProblemOfAcksAndEventsEndsWithTheNextOneThatCanBeRead() throws {
        var model = HomeModel(house.home)
        for part in [DevicePart.ack, .event] {
            _ = model.apply(house.said(.problem(part, "no JSON")), at: house.noon)
        }
        #expect(model.devices[house.device]?.problem == "event: no JSON; ack: no JSON")
        let event = EventReport(.docked)
        _ = model.apply(house.said(.event(event)), at: house.noon)
        #expect(model.devices[house.device]?.problem == "ack: no JSON")
        let evidence = CommandEvidence(
            id: CommandID(at: house.noon, seed: 1), device: house.device, source: .device,
            stage: .accepted)
        _ = model.apply(house.said(.evidence(evidence)), at: house.noon)
        #expect(model.devices[house.device]?.problem == nil)
    }

    @Test func anOlderStateIsIgnored() {
        var model = HomeModel(house.home)
        _ = model.apply(house.said(.state(house.state(5))), at: house.noon)
        #expect(model.apply(house.said(.state(house.state(4))), at: house.noon).isEmpty)
        #expect(model.devices[house.device]?.state?.revision == 5)
    }

    @Test func withoutRevisionsTheLastStateHolds() {
        var model = HomeModel(house.home)
        for level in [3, 2] {
            let state = StateReport(["level": .integer(level)])
            #expect(model.apply(house.said(.state(state)), at: house.noon).count == 1)
        }
        #expect(model.devices[house.device]?.state?.members == ["level": 2])
    }

    @Test func aStaleWillIsIgnored() throws {
        var model = HomeModel(house.home)
        _ = model.apply(house.said(.presence(house.online)), at: house.noon)
        let stale = Presence(.offline, boot: try BootID("b0"))
        #expect(model.apply(house.said(.presence(stale)), at: house.noon).isEmpty)
        #expect(model.devices[house.device]?.connection == .online(boot: house.boot))
    }

    @Test func aLostLinkPutsItsDevicesInDoubtAndARetainedPresenceEndsIt() throws {
        var model = HomeModel(house.home)
        _ = model.apply(house.said(.presence(house.online)), at: house.noon)
        let other = try ChannelID("other")
        let neighbour = DeviceObservation(
            channel: other, home: house.home, device: try DeviceID("d-2"),
            content: .presence(house.online))
        _ = model.apply(neighbour, at: house.noon)
        #expect(model.linkLost(of: house.channel, at: house.noon).map(\.content) == [.doubt])
        #expect(model.linkLost(of: house.channel, at: house.noon).isEmpty)
        #expect(model.devices[house.device]?.connection == .unknown)
        #expect(model.devices[neighbour.device]?.connection == .online(boot: house.boot))
        #expect(model.apply(house.said(.presence(house.online)), at: house.noon).count == 1)
        #expect(model.devices[house.device]?.connection == .online(boot: house.boot))
    }

    @Test func theHistoryOfPresenceHasItsPeriods() throws {
        var model = HomeModel(house.home)
        func moment(_ seconds: Int) -> Timestamp { house.noon.advanced(by: .seconds(seconds)) }
        _ = model.apply(house.said(.state(house.state(1))), at: moment(0))
        #expect(model.devices[house.device]?.presenceHistory == [])
        _ = model.apply(house.said(.presence(house.online)), at: moment(1))
        _ = model.apply(house.said(.presence(house.online)), at: moment(2))
        _ = model.linkLost(of: house.channel, at: moment(3))
        _ = model.apply(house.said(.presence(house.online)), at: moment(4))
        _ = model.apply(house.said(.cleared(.presence)), at: moment(5))
        let history = try #require(model.devices[house.device]?.presenceHistory)
        let online = ConnectionState.online(boot: house.boot)
        #expect(history.map(\.connection) == [online, .unknown, online, .unknown])
        #expect(history.map(\.since) == [1, 3, 4, 5].map(moment))
        for second in 6...40 {
            let content: DeviceObservation.Content =
                second % 2 == 0 ? .presence(house.online) : .cleared(.presence)
            _ = model.apply(house.said(content), at: moment(second))
        }
        let periods = model.devices[house.device]?.presenceHistory.map(\.since)
        #expect(periods == (25...40).map(moment))
    }

    @Test func aDeviceIsGoneWhenEverythingOfItIsCleared() {
        var model = HomeModel(house.home)
        for content in house.everything { _ = model.apply(house.said(content), at: house.noon) }
        let parts: [(DevicePart, [DeviceChange.Content])] = [
            (.state, []), (.presence, [.doubt]), (.description, [.removed]), (.description, []),
        ]
        for (part, changes) in parts {
            #expect(
                model.apply(house.said(.cleared(part)), at: house.noon).map(\.content) == changes)
        }
        #expect(model.devices.isEmpty)
    }

    @Test func aRemovedDeviceIsGoneAndAnUnknownOneIsNoChange() {
        var model = HomeModel(house.home)
        #expect(model.apply(house.said(.removed), at: house.noon).isEmpty)
        _ = model.apply(house.said(.description(house.profile)), at: house.noon)
        #expect(model.apply(house.said(.removed), at: house.noon).map(\.content) == [.removed])
        #expect(model.devices.isEmpty)
    }

    @Test func anEventIsToldOnce() throws {
        var model = HomeModel(house.home)
        let event = EventReport(try EventName("stuck"), id: EventID(at: house.noon, seed: 1))
        #expect(model.apply(house.said(.event(event)), at: house.noon).count == 1)
        #expect(model.apply(house.said(.event(event)), at: house.noon).isEmpty)
        for seed in 2...300 {
            let next = EventReport(event.name, id: EventID(at: house.noon, seed: UInt64(seed)))
            #expect(model.apply(house.said(.event(next)), at: house.noon).count == 1)
        }
        #expect(model.devices.isEmpty)
    }

    @Test func aProblemIsToldOnceAndEndsWithAGoodMessage() {
        var model = HomeModel(house.home)
        let problem = DeviceObservation.Content.problem(.state, "revision is missing")
        #expect(model.apply(house.said(problem), at: house.noon).count == 1)
        #expect(model.apply(house.said(problem), at: house.noon).isEmpty)
        #expect(model.devices[house.device]?.problem == "state: revision is missing")
        _ = model.apply(house.said(.state(house.state(1))), at: house.noon)
        #expect(model.devices[house.device]?.problem == nil)
    }

    @Test func aRememberedDeviceIsListedUntilItSpeaks() throws {
        var model = HomeModel(house.home)
        let morning = house.noon.advanced(by: .seconds(-3_600))
        model.remember(
            RememberedDevice(profile: house.profile, channel: house.channel, heardAt: morning))
        let device = try #require(model.devices[house.device])
        #expect(device.formerlyHeardAt == morning)
        #expect(device.identity == .remembered(house.profile))
        #expect(device.connection == .unknown)
        #expect(device.heardAt == nil)
        _ = model.apply(house.said(.description(house.profile)), at: house.noon)
        model.remember(RememberedDevice(profile: house.profile, channel: house.channel))
        #expect(model.devices[house.device]?.identity == .described(house.profile))
    }

    @Test func anotherHomesDevicesAreIgnored() throws {
        var model = HomeModel(try HomeID("other"))
        #expect(model.apply(house.said(.presence(house.online)), at: house.noon).isEmpty)
        #expect(model.devices.isEmpty)
    }
}
