import HomeportTesting
import Synchronization
import TestSupport
import Testing

@testable import Homeport

/// One command for many devices, as a program sees it.
@Suite(.timeLimit(.minutes(1))) struct GroupTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
        try house.announce("sweeper-s1", as: "robot-2")
        try house.announce("sweeper-s1", as: "robot-1")
        try house.announce("store-e10", as: "store-1")
        try house.announce("sweeper-s1", as: "robot-3")
    }

    @Test func everyDeviceThatHasTheCommandGetsIt() async throws {
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        try await house.withHome { home in
            let group = try await home.send(.locate, to: DeviceFilter())
            #expect(group.receipts.map(\.record.intent.device.text) == Self.robots)
            #expect(group.withoutCommand.map(\.text) == ["store-1"])
            #expect(
                group.receipts.allSatisfy { $0.record.intent.cause == "group:\(group.id)" })
            #expect(
                try await group.outcomes().map(\.record.state) == [
                    .succeeded, .succeeded, .succeeded,
                ])
        }
    }

    @Test func whereTheListMayBeIncompleteNobodySaysThatThereAreNone() async throws {
        let silent = ScriptedChannel(id: channel.id)
        silent.answerReplays(.success(.incomplete("the broker has sent no list")))
        try await ScriptedHouse(silent).withHome { home in
            let error = await #expect(throws: HomeError.self) {
                try await home.send(.locate, to: DeviceFilter())
            }
            #expect(error?.code == .unknownDevice)
            #expect(error?.message.contains("(the broker has sent no list)") == true)
        }
    }

    /// Also where another view of the same home has recalled it, as the dashboard of a server does.
    @Test func aDeviceThatOnlyTheLedgerKnowsIsLeftOut() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file("\(folder.path)/ledger.sqlite")
        try await house.withHome(ledger: ledger) { home in
            _ = try await home.devices()
            try await home.rememberDevices()
        }
        let later = ScriptedChannel(id: channel.id)
        later.onSend { $0.acknowledged(.accepted, .succeeded) }
        let returned = try ScriptedHouse(later)
        try returned.announce("sweeper-s1", as: "robot-1")
        try await returned.withHome(ledger: ledger) { home in
            try await home.observation.recallDevices()
            #expect(try await home.survey().devices.map(\.id.text) == ["robot-1"])
            let unheard = try await home.unheardDevices()
            #expect(unheard.map(\.text) == ["robot-2", "robot-3", "store-1"])
            #expect(try await home.unheardDevices(of: .energyStore).map(\.text) == ["store-1"])
            let group = try await home.send(.locate, to: DeviceFilter())
            #expect(group.receipts.map(\.record.intent.device.text) == ["robot-1"])
        }
    }

    @Test func telemetryIsNotObservedForIt() async throws {
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        try await house.withHome { home in
            _ = try await home.send(.locate, to: DeviceFilter(kind: .sweepingRobot)).outcomes()
            #expect(channel.observedScopes == [.everyDeviceWithoutTelemetry])
            _ = try await home.survey()
            #expect(channel.observedScopes == [.everyDevice])
        }
    }

    @Test func nothingIsRecordedWhereTheCommandDoesNotFitOne() async throws {
        try await house.withHome { home in
            for (name, arguments, filter, code) in [
                (
                    CommandName.setSuctionLevel, ["level": "mad"], DeviceFilter(),
                    HomeError.Code.refusedCommand
                ),
                (.init(rawValue: "frob"), [:], DeviceFilter(), .refusedCommand),
                (.locate, [:], DeviceFilter(kind: .init(rawValue: "lamp")), .unknownDevice),
            ] as [(CommandName, JSONObject, DeviceFilter, HomeError.Code)] {
                let error = await #expect(throws: HomeError.self) {
                    try await home.send(name, arguments, to: filter)
                }
                #expect(error?.code == code)
            }
            #expect(try await home.history().isEmpty)
            let none = try await home.send(
                .locate, to: DeviceFilter(conditions: [try DeviceCondition("activity=asleep")]))
            #expect(none.receipts.isEmpty)
        }
    }

    @Test func onlyWhatFailedIsSentAgain() async throws {
        let isMended = Mutex(false)
        channel.onSend { send in
            let isBroken = send.command.intent.device.text == "robot-2"
            return isBroken && !isMended.withLock { $0 }
                ? send.acknowledged(.rejected) : send.acknowledged(.accepted, .succeeded)
        }
        try await house.withHome { home in
            let group = try await home.send(.locate, to: DeviceFilter())
            #expect(
                try await group.outcomes().map(\.record.state) == [
                    .succeeded, .rejected, .succeeded,
                ])
            isMended.withLock { $0 = true }
            let again = try await home.retry(group.id)
            #expect(again.receipts.map(\.record.intent.device.text) == ["robot-2"])
            #expect(try await again.outcomes().map(\.record.state) == [.succeeded])
            #expect(try await home.retry(group.id).receipts.isEmpty)
            #expect(try await home.history().count == 4)
            let steps = try await home.undo(group: group.id)
            #expect(steps.map(\.device.text) == ["robot-2", "robot-3", "robot-1"])
        }
    }

    @Test func whatMayHaveBeenCarriedOutIsNotSentAgainAndNotPassedOver() async throws {
        channel.onSend { send in
            send.command.intent.device.text == "robot-2"
                ? [] : send.acknowledged(.accepted, .succeeded)
        }
        try await house.withHome { home in
            let group = try await home.send(
                .locate, to: DeviceFilter(),
                options: CommandOptions(lifetime: .milliseconds(100)))
            _ = try await group.outcomes()
            let again = try await home.retry(group.id)
            #expect(again.receipts.map(\.record.intent.device.text) == ["robot-2"])
            #expect(try await again.outcomes().map(\.record.state) == [.unknown])
            #expect(try await home.history().count == 3)
        }
    }

    @Test func whatCannotBeUndoneInAGroupIsSaid() async throws {
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        try await house.withHome { home in
            let group = try await home.send(.locate, to: DeviceFilter())
            _ = try await group.outcomes()
            for step in try await home.undo(group: group.id) {
                guard case .failure(let error) = step.result else {
                    Issue.record("\(step.device) undoes what changes nothing")
                    continue
                }
                #expect(error.message.contains("changed nothing on \(step.device)"))
            }
        }
    }

    @Test func aGroupIsUndoneInReverseWithAResultPerStep() async throws {
        channel.onSend { send in
            [
                .evidence(send.evidence(.accepted)),
                .evidence(
                    send.evidence(
                        .succeeded, n: 2, result: ["previous": "quiet"],
                        revision: (send.command.intent.ifRevision ?? 4) + 1)),
            ]
        }
        try await house.withHome { home in
            let group = try await home.send(
                .setSuctionLevel, ["level": "max"], to: DeviceFilter(kind: .sweepingRobot))
            _ = try await group.outcomes()
            let later = try await home.send(
                .setSuctionLevel, ["level": "turbo"], to: DeviceID("robot-2"))
            _ = try await later.finished()
            let steps = try await home.undo(group: group.id)
            #expect(steps.map(\.device.text) == Self.robots.reversed())
            var undone: [String] = []
            for step in steps {
                switch step.result {
                case .success(let receipt):
                    #expect(receipt.record.intent.arguments == ["level": "quiet"])
                    #expect(receipt.record.intent.cause == "undo:\(step.command)")
                    undone.append(step.device.text)
                case .failure(let error):
                    #expect(error.code == .cannotUndo)
                    #expect(error.message.contains("a later command to robot-2"))
                }
            }
            #expect(undone == ["robot-3", "robot-1"])
            let stranger = await #expect(throws: HomeError.self) {
                try await home.undo(group: later.id)
            }
            #expect(stranger?.code == .unknownCommand)
        }
    }

    private static let robots = ["robot-1", "robot-2", "robot-3"]
}

/// Devices in a list or by a pattern.
@Suite(.timeLimit(.minutes(1))) struct ListedDevicesTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        house = try ScriptedHouse(channel)
        try house.announce("sweeper-s1", as: "robot-1", name: "Left, upstairs")
        try house.announce("sweeper-s1", as: "robot-2", name: "Right")
        try house.announce("store-e10", as: "store-1", name: "Store")
    }

    @Test(arguments: [
        ("robot-1,robot-2", ["robot-1", "robot-2"]), ("robot-2, RIGHT ,robot-2", ["robot-2"]),
        ("robot-*", ["robot-1", "robot-2"]), ("*", ["robot-1", "robot-2"]),
        ("?obot-2", ["robot-2"]), ("R*T", ["robot-2"]), ("left, upstairs", ["robot-1"]),
        ("robot-*,right", ["robot-1", "robot-2"]), ("kitchen*", ["robot-2"]),
    ])
    func theDevicesOfAListGetIt(text: String, expected: [String]) async throws {
        try await house.withHome { home in
            try await home.naming.name(.literal("robot-2"), GivenName("Kitchen robot"))
            let group = try await home.send(
                .locate, typed: TypedArguments(), toDevicesListedAs: text)
            #expect(group.receipts.map(\.record.intent.device.text) == expected)
            #expect(group.receipts.allSatisfy { $0.record.intent.cause == "group:\(group.id)" })
        }
    }

    @Test(arguments: [
        ("robot-9,robot-1", HomeError.Code.unknownDevice, "robot-9"),
        ("lamp-*", .unknownDevice, "matches 'lamp-*'; the devices are robot-1, robot-2, store-1"),
        ("robot-1,", .unknownDevice, "names nothing"),
        ("robot-1,store-1", .refusedCommand, "store-1"), ("store*", .refusedCommand, "none of"),
    ])
    func whereOneOfThemIsWrongNothingIsSent(
        text: String, code: HomeError.Code, words: String
    ) async throws {
        try await house.withHome { home in
            let error = await #expect(throws: HomeError.self) {
                try await home.send(.locate, typed: TypedArguments(), toDevicesListedAs: text)
            }
            #expect(error?.code == code)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            let history = try await home.history()
            #expect(history.isEmpty)
        }
    }

    @Test(arguments: [
        ("abc", "abc", true), ("abc", "a*", true), ("abc", "*c", true), ("abc", "a?c", true),
        ("abc", "b*", false), ("abc", "a*b", false), ("aXbXc", "a*x*c", true), ("", "*", true),
        ("abc", "????", false), ("abab", "*ab", true), ("abc", "", false),
    ])
    func patternsMatchWholeTexts(text: String, pattern: String, matches: Bool) {
        #expect(text.matches(pattern) == matches)
    }
}
