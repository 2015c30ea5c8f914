import Homeport
import HomeportTesting
import TestSupport
import Testing

/// Commands whose outcome is unknown, and what a person is told of a command.
@Suite(.timeLimit(.minutes(1))) struct ResolvingTests {
    private let channel: ScriptedChannel
    private let house: ScriptedHouse
    private let robot: DeviceID

    init() throws {
        channel = ScriptedChannel(id: try ChannelID("test"))
        house = try ScriptedHouse(channel)
        robot = try DeviceID("sweeper-1")
        try house.announce("sweeper-s1", as: robot.text)
    }

    @Test(arguments: [RecordedOutcome.never, .forgotten])
    func theDeviceIsAskedAndNothingIsSentAgain(_ outcome: RecordedOutcome) async throws {
        try await house.withHome { home in
            let receipt = try await silentlySent(by: home)
            channel.answerQuestions(about: receipt.id, outcome)
            let records = try await home.resolveUnknown()
            #expect(records.map(\.id) == [receipt.id])
            #expect(records.map(\.state) == [outcome == .never ? .expired : .unknown])
            #expect(records.map(\.progress.sends) == [1])
            let reason = outcome == .never ? "never reached" : "no longer knows"
            #expect(records.first?.progress.message.contains(reason) == true)
            let rest = try await home.resolveUnknown()
            #expect(rest.count == (outcome == .never ? 0 : 1))
        }
    }

    @Test func whatADeadProcessLeftIsAskedAboutToo() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file("\(folder.path)/ledger.sqlite")
        let left = try await house.withHome(ledger: ledger) { home in
            let receipt = try await home.send(.locate, to: robot)
            // It has left when the channel has it.
            var sends = channel.sends.makeAsyncIterator()
            _ = await sends.next()
            return receipt.id
        }
        let later = ScriptedChannel(id: channel.id)
        let returned = try ScriptedHouse(later)
        try returned.announce("sweeper-s1", as: robot.text)
        later.answerQuestions(about: left, .forgotten)
        try await returned.withHome(ledger: ledger) { home in
            let records = try await home.resolveUnknown()
            #expect(records.map(\.id) == [left])
            #expect(records.map(\.state) == [.unknown])
        }
    }

    @Test func whatAProcessLeavesOpenMeanwhileIsTakenOver() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file("\(folder.path)/ledger.sqlite")
        channel.onSend { $0.acknowledged(.accepted, .succeeded) }
        var configuration = house.configuration(ledger: ledger)
        configuration.takesOverOpenCommands = true
        configuration.takeOverPause = .milliseconds(10)
        let other = try ScriptedHouse(ScriptedChannel(id: channel.id))
        try other.announce("sweeper-s1", as: robot.text)
        other.channels[0].deliver(.presence(Presence(.offline)), from: robot, in: other.id)
        try await withHome(configuration) { home in
            let left = try await other.withHome(ledger: ledger) { other in
                let receipt = try await other.send(.startCleaning, to: robot)
                #expect(receipt.record.state == .queued)
                return receipt.id
            }
            var sends = channel.sends.makeAsyncIterator()
            #expect(await sends.next()?.command.id == left)
        }
    }

    @Test func aHomeThatGoesOnRunningAsksByItself() async throws {
        var configuration = house.configuration()
        configuration.takesOverOpenCommands = true
        configuration.takeOverPause = .milliseconds(10)
        try await withHome(configuration) { home in
            _ = try await home.devices()
            channel.holdQuestions()
            let receipt = try await silentlySent(by: home)
            var questions = channel.questions.makeAsyncIterator()
            #expect(await questions.next()?.contains(receipt.id) == true)
            channel.answerHeldQuestions(.success([receipt.id: .never]))
            #expect(try await receipt.outcome(.certain).record.state == .expired)
        }
    }

    @Test func aDeviceThatIsAwayIsNotWaitedFor() async throws {
        try await house.withHome { home in
            let receipt = try await silentlySent(by: home)
            channel.deliver(.presence(Presence(.offline)), from: robot, in: house.id)
            let records = try await home.resolveUnknown()
            #expect(records.map(\.state) == [.unknown])
            #expect(try await home.command(receipt.id)?.state == .unknown)
        }
    }

    @Test func withoutAChannelNothingIsAsked() async throws {
        let lost = ScriptedChannel(id: try ChannelID("test"), connected: false)
        try await ScriptedHouse(lost).withHome { home in
            let error = await #expect(throws: HomeError.self) { try await home.resolveUnknown() }
            #expect(error?.code == .noConnection)
        }
    }

    @Test func anExplanationTellsWhatHappenedAndWhatIsNext() async throws {
        try await house.withHome { home in
            let receipt = try await silentlySent(by: home)
            let explanation = try await home.explain(receipt.id)
            #expect(
                explanation.steps.map(\.text) == [
                    "homeport recorded it in the ledger: sweeper-1 can be reached",
                    "sent to sweeper-1", "the channel confirmed that it has it",
                    "the device did not answer in time",
                ])
            #expect(explanation.steps.map(\.state) == [.sending, nil, .sent, .unknown])
            #expect(
                explanation.meaning.hasPrefix("Nobody knows whether sweeper-1 has carried it out."))
            #expect(explanation.next.contains("not sent again, because it might run twice"))
            let stranger = await #expect(throws: HomeError.self) {
                try await home.explain(
                    try #require(CommandID("018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11")))
            }
            #expect(stranger?.code == .unknownCommand)
        }
    }

    @Test func aCommandOfAnotherHomeIsLeftToIt() async throws {
        let folder = try TemporaryFolder()
        let ledger = LedgerLocation.file("\(folder.path)/ledger.sqlite")
        let id = try await house.withHome(ledger: ledger) { try await silentlySent(by: $0).id }
        var configuration = try ScriptedHouse(ScriptedChannel(id: channel.id))
            .configuration(ledger: ledger)
        configuration.home = try HomeID("home-2")
        try await withHome(configuration) { home in
            let attempts: [(Home) async throws -> Void] = [
                { _ = try await $0.putAway(id) }, { _ = try await $0.cancel(id) },
                { _ = try await $0.explain(id) },
            ]
            for attempt in attempts {
                let error = await #expect(throws: HomeError.self) { try await attempt(home) }
                #expect(error?.code == .foreignCommand)
                #expect(error?.message.contains("of the home home-1, not of home-2") == true)
            }
            let record = try #require(try await home.command(id))
            #expect(!record.progress.isPutAway)
        }
    }

    /// A command that the device does not answer within the time in which it may start.
    private func silentlySent(by home: Home) async throws -> CommandReceipt {
        let receipt = try await home.send(
            .locate, to: robot, options: CommandOptions(lifetime: .milliseconds(100)))
        #expect(try await receipt.finished().record.state == .unknown)
        return receipt
    }
}
