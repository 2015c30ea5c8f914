import Glibc
import Homeport
import HomeportTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct HomeTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
    }

    @Test func devicesHaveTheTypeOfTheirKind() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            try house.announce("store-e5", as: "store-1")
            #expect(try await home.devices().map { $0.id.text } == ["store-1", "sweeper-1"])
            #expect(
                try await home.devices(of: SweepingRobot.self).map { $0.id.text } == ["sweeper-1"])
            #expect(try await home.device("store-1") is EnergyStore)
        }
    }

    @Test func aTypedCommandIsFollowedToItsEnd() async throws {
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            let robot = try #require(try await home.devices(of: SweepingRobot.self).first)
            let receipt = try await home.send(.startCleaning(rooms: [1, 2]), to: robot)
            #expect(receipt.obstacle == nil)
            #expect(receipt.record.intent.arguments == ["rooms": [1, 2]])
            #expect(try await receipt.delivered().isReached)
            #expect(try await receipt.accepted().isReached)
            #expect(try await receipt.finished().record.state == .succeeded)
            #expect(try await home.history().map(\.id) == [receipt.id])
            let kinds = try await home.events(of: receipt.id).map(\.kind)
            #expect(kinds.first == .created)
            #expect(kinds.contains(.sent))
            #expect(kinds.contains(.evidence))
            var last: CommandState?
            for await record in receipt.changes { last = record.state }
            #expect(last == .succeeded)
        }
    }

    @Test func whatTheDeviceDoesNotTakeIsNeitherRecordedNorSent() async throws {
        try await house.withHome { home in
            try house.announce("store-e5", as: "store-1")
            let store = try #require(try await home.devices(of: EnergyStore.self).first)
            let attempts: [(CommandName, JSONObject)] = [
                (.locate, [:]), (.setReserve, ["percent": 101]), (.setReserve, [:]),
            ]
            for (name, arguments) in attempts {
                let error = await #expect(throws: HomeError.self) {
                    try await home.send(name, arguments, to: store.id)
                }
                #expect(error?.code == .refusedCommand)
                #expect(error?.message.hasPrefix("store-1: ") == true)
            }
            // The typed command is checked by the same description: this store gives 2,500 W.
            let error = await #expect(throws: HomeError.self) {
                try await home.send(.charge(powerW: 2_501), to: store)
            }
            #expect(error?.code == .refusedCommand)
            await #expect(throws: ArgumentViolation.self) {
                try await home.send(.setReserve(percent: 101), to: store)
            }
            #expect(try await home.history().isEmpty)
        }
        #expect(await channel.allSends().isEmpty)
    }

    @Test func aDeviceIsFoundByItsNameInAnyCase() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1", name: "Kitchen Robot")
            try house.announce("sweeper-s1", as: "sweeper-2", name: "twin")
            try house.announce("sweeper-s1", as: "sweeper-3", name: "Twin")
            #expect(try await home.find("kitchen robot").id.text == "sweeper-1")
            let twins = await #expect(throws: HomeError.self) { try await home.find("TWIN") }
            #expect(twins?.code == .ambiguousName)
            #expect(twins?.message.contains("sweeper-2, sweeper-3") == true)
            let nobody = await #expect(throws: HomeError.self) { try await home.find("nobody") }
            #expect(nobody?.code == .unknownDevice)
        }
    }

    @Test func changesBeginWithWhatIsKnownAndEndWithTheHome() async throws {
        var changes: HomeChanges?
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            _ = try await home.devices()
            changes = home.changes()
            channel.deliver(.removed, from: try DeviceID("sweeper-1"), in: home.id)
        }
        var contents: [DeviceChange.Content] = []
        for await change in try #require(changes) {
            if case .device(let change) = change { contents.append(change.content) }
        }
        // What the device said before does not hold any more, so nobody is told.
        #expect(contents.last == .removed)
    }

    @Test func theLedgerKnowsWhomPeopleMean() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1", name: "Kitchen")
            try house.announce("sweeper-s1", as: "sweeper-2", name: "Attic")
            try house.announce("sweeper-s1", as: "sweeper-3", name: "Attic")
            _ = try await home.devices()
            try await home.rememberDevices()
            for reference in ["sweeper-1", "Kitchen", "kitchen"] {
                let id = try await home.rememberedID(ofDeviceCalled: reference)
                #expect(id?.text == "sweeper-1")
            }
            #expect(try await home.rememberedID(ofDeviceCalled: "cellar") == nil)
            let error = await #expect(throws: HomeError.self) {
                try await home.rememberedID(ofDeviceCalled: "Attic")
            }
            #expect(error?.code == .ambiguousName)
        }
    }

    @Test func aLostLinkPutsDevicesInDoubtUntilItIsBack() async throws {
        try await house.withHome { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            _ = try await home.devices()
            let id = try DeviceID("sweeper-1")
            #expect(home.model.devices[id]?.connection.isOnline == true)
            var changes = home.changes().makeAsyncIterator()
            channel.loseLink()
            while let change = await changes.next() {
                if case .device(let change) = change, change.content == .doubt { break }
            }
            #expect(home.model.devices[id]?.connection == .unknown)
        }
    }

    @Test func withoutAConnectionAWaitingCommandIsQueuedAndOthersAreNot() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file(folder.path + "/ledger.sqlite")
        try await house.withHome(ledger: ledger) { home in
            try house.announce("store-e5", as: "store-1")
            _ = try await home.devices()
            try await home.rememberDevices()
        }
        // A home that ended has closed its ledger: SQLite removes the log with the last connection.
        #expect(access(folder.path + "/ledger.sqlite-wal", F_OK) != 0)
        let away = ScriptedChannel(id: channel.id, connected: false)
        try await ScriptedHouse(away).withHome(ledger: ledger) { home in
            let store = try DeviceID("store-1")
            let receipt = try await home.send(.setReserve, ["percent": 30], to: store)
            #expect(receipt.obstacle?.code == .noConnection)
            #expect(receipt.record.state == .queued)
            let error = await #expect(throws: HomeError.self) {
                try await home.send(.charge, ["powerW": 100], to: store)
            }
            #expect(error?.code == .noConnection)
            #expect(try await home.history().map(\.id) == [receipt.id])
        }
        let back = ScriptedChannel(id: channel.id)
        // At once: to settle is to be answered, and `accepted` is an answer.
        back.onSend { $0.acknowledged(.succeeded) }
        let returned = try ScriptedHouse(back)
        try await returned.withHome(ledger: ledger) { home in
            try returned.announce("store-e5", as: "store-1")
            let taken = try await home.takeOverOpenCommands()
            #expect(taken.count == 1)
            await home.settle(taken, within: .seconds(10))
            #expect(try await home.history().first?.state == .succeeded)
        }
    }

    @Test func commandsAreTakenOverBehindASurveyWithoutHearingMoreOfTheHome() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file(folder.path + "/ledger.sqlite")
        try house.announce("store-e5", as: "store-1")
        try await house.withHome(ledger: ledger) { home in
            _ = try await home.devices()
            try await lose(channel, in: home)
            _ = try await home.send(.setReserve, ["percent": 30], to: try DeviceID("store-1"))
        }
        let back = ScriptedChannel(id: channel.id)
        back.onSend { $0.acknowledged(.succeeded) }
        let returned = try ScriptedHouse(back)
        try returned.announce("store-e5", as: "store-1")
        try await returned.withHome(ledger: ledger) { home in
            _ = try await home.survey(.everyDeviceWithoutTelemetry)
            let taken = try await home.takeOverOpenCommands()
            #expect(taken.count == 1)
            await home.settle(taken, within: .seconds(10))
            #expect(back.observedScopes == [.everyDeviceWithoutTelemetry])
        }
    }

    @Test func aDeviceThatThisHomeHeardTakesWaitingCommandsAfterTheLinkIsLost() async throws {
        try await house.withHome { home in
            try house.announce("store-e5", as: "store-1")
            let store = try #require(try await home.devices(of: EnergyStore.self).first)
            try await lose(channel, in: home)
            let receipt = try await home.send(.setReserve(percent: 30), to: store)
            #expect(receipt.obstacle?.code == .noConnection)
            #expect(receipt.record.state == .queued)
            let error = await #expect(throws: HomeError.self) {
                try await home.send(.setReserve, ["percent": 30], to: try DeviceID("nobody"))
            }
            #expect(error?.code == .noConnection)
        }
    }

    @Test func aReceiptNamesTheChannelThatIsDownAmongSeveral() async throws {
        let attic = ScriptedChannel(id: try ChannelID("attic"))
        let both = try ScriptedHouse(channel, attic)
        try await both.withHome { home in
            try both.announce("store-e5", as: "store-1", on: attic)
            let store = try #require(try await home.devices(of: EnergyStore.self).first)
            try await lose(attic, in: home)
            let receipt = try await home.send(.setReserve(percent: 30), to: store)
            #expect(receipt.record.state == .queued)
            #expect(receipt.obstacle?.code == .noConnection)
        }
    }

    /// Loses the link of a channel and waits until the home knows.
    private func lose(_ channel: ScriptedChannel, in home: Home) async throws {
        var changes = home.changes().makeAsyncIterator()
        channel.loseLink()
        while let change = await changes.next() {
            if case .link(channel.id, .lost) = change { return }
        }
    }

    @Test func theDevicesOfAChannelThatIsDownAreListedAsLastKnown() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file(folder.path + "/ledger.sqlite")
        let attic = ScriptedChannel(id: try ChannelID("attic"))
        let both = try ScriptedHouse(channel, attic)
        try await both.withHome(ledger: ledger) { home in
            try both.announce("sweeper-s1", as: "sweeper-1")
            try both.announce("store-e5", as: "store-1", on: attic)
            #expect(try await home.devices().count == 2)
            try await home.rememberDevices()
            #expect(await home.channels().map(\.devices) == [1, 1])
        }
        let here = ScriptedChannel(id: channel.id)
        let down = ScriptedChannel(id: attic.id, connected: false)
        let half = try ScriptedHouse(here, down)
        try await half.withHome(ledger: ledger) { home in
            try half.announce("sweeper-s1", as: "sweeper-1")
            let survey = try await home.survey()
            #expect(survey.devices.map(\.id.text) == ["store-1", "sweeper-1"])
            #expect(survey.devices.first?.connection == .unknown)
            #expect(survey.devices.first?.profile?.kind == .energyStore)
            #expect(Array(survey.failures.keys) == [attic.id])
            #expect(try await home.find("store-1").connection == .unknown)
            let unknown = await #expect(throws: HomeError.self) { try await home.find("nobody") }
            #expect(unknown?.message.contains("the channel attic is down") == true)
        }
        let empty = try ScriptedHouse(ScriptedChannel(id: channel.id), down)
        try await empty.withHome(ledger: ledger) { home in
            let found = try await home.find("store-1")
            #expect(found.profile?.kind == .energyStore)
        }
        let nobody = try ScriptedHouse(ScriptedChannel(id: channel.id, connected: false))
        try await nobody.withHome(ledger: ledger) { home in
            let error = await #expect(throws: HomeError.self) { try await home.devices() }
            #expect(error?.code == .noConnection)
        }
    }

    @Test func aRuleChoosesTheChannelOfACommand() async throws {
        let attic = ScriptedChannel(id: try ChannelID("attic"))
        let both = try ScriptedHouse(channel, attic)
        attic.onSend { $0.acknowledged(.accepted, .succeeded) }
        let rule = ChannelRule(.kind(.sweepingRobot), use: attic.id)
        try await both.withHome(rules: [rule]) { home in
            try both.announce("sweeper-s1", as: "sweeper-1")
            try both.announce("sweeper-s1", as: "sweeper-1", on: attic)
            let receipt = try await home.send(.locate, to: try DeviceID("sweeper-1"))
            #expect(receipt.record.prepared.channel == attic.id)
            #expect(try await receipt.finished().record.state == .succeeded)
        }
    }

    @Test func aHomeThatDoesNotRunSaysSo() async throws {
        let home = try Home(house.configuration())
        let error = await #expect(throws: HomeError.self) {
            try await home.send(.locate, to: try DeviceID("sweeper-1"))
        }
        #expect(error?.code == .notRunning)
        try await home.whileRunning {}
        await #expect(throws: HomeError.self) { try await home.run() }
    }

    @Test func aWrongConfigurationIsRefused() throws {
        let twins = [channel, ScriptedChannel(id: channel.id)]
        var configuration = house.configuration()
        configuration.channels = twins.map(ChannelSetup.init)
        #expect(throws: HomeError.self) { try Home(configuration) }
        configuration.channels = []
        #expect(throws: HomeError.self) { try Home(configuration) }
        configuration = house.configuration()
        configuration.rules = [ChannelRule(.kind(.poolRobot), use: try ChannelID("none"))]
        #expect(throws: HomeError.self) { try Home(configuration) }
        configuration = house.configuration()
        let broker = BrokerConnection(try MQTTBrokerAddress(url: "mqtt://127.0.0.1:1"))
        configuration.channels = [
            .zigbee2MQTT(id: try ChannelID("attic"), broker, baseTopic: "/z2m")
        ]
        #expect(throws: HomeError.self) { try Home(configuration) }
        #expect(throws: HomeError.self) { try HomeConfiguration(home: "Villa", broker: "mqtt://h") }
        #expect(throws: HomeError.self) { try HomeConfiguration(home: "villa", broker: "http://h") }
    }

    @Test func aLedgerThatCannotBeOpenedStopsCommandsAndNothingElse() async throws {
        try await house.withHome(ledger: .file("/dev/null/ledger.sqlite")) { home in
            try house.announce("sweeper-s1", as: "sweeper-1")
            #expect(try await home.devices().count == 1)
            let error = await #expect(throws: HomeError.self) {
                try await home.send(.locate, to: try DeviceID("sweeper-1"))
            }
            #expect(error?.code == .ledger)
            #expect(error?.message.contains("/dev/null/ledger.sqlite") == true)
        }
        #expect(await channel.allSends().isEmpty)
    }

    @Test func whereTheLedgerCannotBeReadNoDeviceIsCalledUnknown() async throws {
        let channel = ScriptedChannel(id: try ChannelID("test"))
        let house = try ScriptedHouse(channel)
        try await house.withHome(ledger: .file("/dev/null/ledger.sqlite")) { home in
            for reference in ["sweeper-1", "The robot"] {
                let error = await #expect(throws: HomeError.self) {
                    try await home.find(reference)
                }
                #expect(error?.code == .ledger, "\(error as Any)")
            }
            try house.announce("sweeper-s1", as: "sweeper-1")
            #expect(try await home.find("sweeper-1").id.text == "sweeper-1")
        }
    }

    /// Its turn comes when it is too late already, and the way to the device is told in between.
    @Test func whatExpiresBeforeItsTurnEndsAndHoldsNothingUp() async throws {
        let channel = ScriptedChannel(id: try ChannelID("test"))
        let house = try ScriptedHouse(channel)
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        try await house.withHome { home in
            // So many that the ledger takes longer for them than they may wait.
            for number in 1...200 { try house.announce("sweeper-s1", as: "sweeper-\(number)") }
            let brief = try await home.send(
                .locate, to: DeviceFilter(), options: CommandOptions(lifetime: .milliseconds(1)))
            let ends = try await brief.outcomes().map(\.record.state)
            #expect(ends.allSatisfy { $0 == .expired || $0 == .succeeded })
            #expect(ends.contains(.expired))
            let usual = try await home.send(.locate, to: try DeviceID("sweeper-1"))
            #expect(try await usual.finished().record.state == .succeeded)
        }
    }
}
