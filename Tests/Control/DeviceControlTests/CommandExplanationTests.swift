import Connectivity
import DeviceControl
import DeviceDomain
import DeviceMessages
import Testing

/// What a person is told of a command in each state.
@Suite struct CommandExplanationTests {
    @Test(arguments: CommandState.allCases)
    func everyStateHasAMeaningAndANextStep(_ state: CommandState) throws {
        let explanation = CommandExplanation(try record(in: state), [], at: Self.moment)
        #expect(explanation.meaning.hasSuffix("."))
        #expect(explanation.next.hasSuffix("."))
        #expect((explanation.next == "Nothing: it has ended.") == state.isFinal)
    }

    @Test func whatMayHaveLeftIsNotCalledWaiting() throws {
        var record = try record(in: .queued)
        #expect(
            CommandExplanation(record, [], at: Self.moment).meaning
                == "It waits here and has not left.")
        record.progress.mayHaveLeft = true
        let explanation = CommandExplanation(record, [], at: Self.moment)
        #expect(explanation.meaning == "It is not known whether it has left.")
        #expect(explanation.next.contains("asks robot-1 about it"))
    }

    @Test func whatWaitsAndMayStartNoMoreIsNotCalledToBeSent() throws {
        let record = try record(in: .queued)
        let end = record.intent.expiresAt
        #expect(CommandExplanation(record, [], at: Self.moment).next.hasPrefix("It is sent when"))
        #expect(CommandExplanation(record, [], at: end).next.hasPrefix("It is not sent any more"))
        // Of one that may have left the device is asked.
        var left = record
        left.progress.mayHaveLeft = true
        #expect(CommandExplanation(left, [], at: end).next.contains("asks robot-1 about it"))
    }

    @Test func anUnknownCommandThatWasConfirmedAndNeverAnsweredNamesTheAccessRules() throws {
        var record = try record(in: .unknown)
        #expect(!CommandExplanation(record, [], at: Self.moment).meaning.contains("access rules"))
        record.progress.timings.sentAt = record.intent.issuedAt
        #expect(CommandExplanation(record, [], at: Self.moment).meaning.contains("access rules"))
        record.progress.code = .throttled
        #expect(!CommandExplanation(record, [], at: Self.moment).meaning.contains("access rules"))
        record.progress.code = nil
        record.progress.lastAck = 1
        #expect(!CommandExplanation(record, [], at: Self.moment).meaning.contains("access rules"))
    }

    @Test func aCopyThatTheLinkHadIsNotCalledOneThatMayNotHaveLeft() throws {
        var record = try record(in: .queued)
        record.progress.mayHaveLeft = true
        record.progress.timings.sentAt = record.intent.issuedAt
        let explanation = CommandExplanation(record, [], at: Self.moment)
        #expect(explanation.meaning.contains(" had it once; robot-1 has not answered"))
        #expect(explanation.next.contains("sends the same bytes again"))
    }

    @Test(
        arguments: CommandState.allCases, [ChannelTraits(), [.acceptance], [.effect, .acceptance]])
    func ofADeviceThatCannotBeAskedNobodyIsToldThatItIs(
        _ state: CommandState, _ traits: ChannelTraits
    ) throws {
        var record = try record(in: state)
        record.progress.mayHaveLeft = true
        record.progress.timings.sentAt = record.intent.issuedAt
        let explanation = CommandExplanation(record, [], over: traits, at: record.intent.issuedAt)
        for text in [explanation.meaning, explanation.next] {
            #expect(!text.contains("resolve"))
            #expect(!text.contains("access rules"))
            #expect(!text.contains("is asked") && !text.contains("asks"))
        }
    }

    @Test func aDeviceThatCanNoLongerTellIsNotCalledSilentAndIsNotAskedAgain() throws {
        var record = try record(in: .unknown)
        record.progress.timings.sentAt = record.intent.issuedAt
        let answer = LedgerEvent(
            .answered, of: record.id, at: record.intent.issuedAt, cause: "",
            detail: ["outcome": "forgotten"])
        let explanation = CommandExplanation(record, [answer], at: Self.moment)
        #expect(!explanation.meaning.contains("has not answered"))
        #expect(explanation.next.contains("robot-1 can no longer tell"))
    }

    @Test(arguments: CommandState.allCases)
    func ofADryRunNobodyIsToldThatItWasCarriedOut(_ state: CommandState) throws {
        let meaning = CommandExplanation(try record(in: state, isDryRun: true), [], at: Self.moment)
            .meaning
        #expect(meaning.hasSuffix(" It is a dry run, which changes nothing."))
        #expect(!meaning.contains("carried it out"))
    }

    @Test func theInstancesOfASharedLedgerAreNamed() throws {
        let record = try record(in: .succeeded)
        let start = record.intent.issuedAt
        let events = [LedgerEvent.Kind.created, .adopted, .sent, .evidence].map {
            LedgerEvent($0, of: record.id, at: start, cause: "\($0)", detail: ["attempt": 1])
        }
        let tenures = [
            HomeTenure(instance: "one:7", since: start, entries: 0),
            HomeTenure(instance: nil, since: start, entries: 1),
            HomeTenure(instance: "two:8", since: start, entries: 1),
            HomeTenure(instance: "three:9", since: start, entries: 4),
        ]
        let steps = CommandExplanation(record, events, under: tenures, at: Self.moment).steps
        #expect(
            steps.map(\.text) == [
                "app recorded it in the ledger: created",
                "the instance that owned the home has given it up",
                "the instance two:8 owns the home from now on", "adopted: the instance two:8",
                "sent to robot-1, by the instance two:8", "evidence",
                "the instance three:9 owns the home from now on",
            ])
        #expect(steps[4].detail["instance"] == "two:8")
        #expect(CommandExplanation(record, events, at: Self.moment).steps.count == 4)
    }

    /// Two machines have written it.
    @Test func aClockThatIsBehindDoesNotPutAStepBeforeAnother() throws {
        let record = try record(in: .succeeded)
        let start = record.intent.issuedAt
        let events = [(LedgerEvent.Kind.created, 5), (.sent, 3), (.evidence, 6)].map {
            LedgerEvent($0.0, of: record.id, at: start.advanced(by: .milliseconds($0.1)))
        }
        let steps = CommandExplanation(record, events, at: Self.moment).steps
        #expect(steps.map(\.kind) == [.created, .sent, .evidence])
        #expect(steps.map { $0.at.since(start) } == [5, 5, 6].map { .milliseconds($0) })
    }

    @Test(
        arguments: [
            (
                LedgerEvent.Kind.created, "robot-1 is offline", [:],
                "app recorded it in the ledger: robot-1 is offline"
            ),
            (.sent, "attempt 1", ["attempt": 1], "sent to robot-1"),
            (
                .evidence, "", ["stage": "rejected", "code": "THROTTLED"],
                "robot-1 says rejected: THROTTLED"
            ),
            (.sent, "attempt 3", ["attempt": 3], "sent to robot-1 again, as attempt 3"),
            (
                .receipt, "", ["receipt": "confirmed"],
                "the channel confirmed that it has it"
            ),
            (.receipt, "the socket broke", ["receipt": "may-have-left"], "the socket broke"),
            (
                .evidence, "robot-1 says failed",
                ["code": "WRONG_STATE", "message": "it is docked", "replay": true],
                "robot-1 says failed: WRONG_STATE, it is docked, it said so before"
            ),
            (
                .evidence, "robot-1 says running", ["code": "OK", "percent": 12.5],
                "robot-1 says running: 12.5 % done"
            ),
            (
                .evidence, "robot-1 says succeeded", ["result": ["previous": "max"]],
                "robot-1 says succeeded: previous=max"
            ),
            (.withdrawn, "", [:], "taken back"),
            (.init(rawValue: "rested"), "", [:], "rested"),
        ] as [(LedgerEvent.Kind, String, JSONObject, String)])
    func anEventIsASentence(
        _ kind: LedgerEvent.Kind, _ cause: String, _ detail: JSONObject, _ sentence: String
    ) throws {
        let record = try record(in: .running)
        let event = LedgerEvent(
            kind, of: record.id, at: record.intent.issuedAt, cause: cause, detail: detail)
        #expect(
            CommandExplanation(record, [event], at: Self.moment).steps.map(\.text) == [sentence])
    }

    /// It is written down before it is tried.
    @Test func aSendThatSurelyDidNotLeaveIsNoStep() throws {
        let record = try record(in: .expired)
        // The second send did not leave, as the fourth did not: the next one has its number.
        let events = [1, 2, 2, 3, 4].map {
            LedgerEvent(.sent, of: record.id, at: Self.moment, detail: ["attempt": .integer($0)])
        }
        let steps = CommandExplanation(record, events, at: Self.moment).steps
        #expect(
            steps.map(\.text) == [
                "sent to robot-1", "sent to robot-1 again, as attempt 2",
                "sent to robot-1 again, as attempt 3",
            ])
    }

    @Test(
        arguments: [
            (["level": "max"], "the state of robot-1 shows level=max"),
            ([:], "the state of robot-1 shows the effect of locate"),
        ] as [(JSONObject, String)])
    func whatTheStateShowedIsSaid(_ arguments: JSONObject, _ sentence: String) throws {
        let record = try record(in: .succeeded)
        let events = [
            LedgerEvent(
                .created, of: record.id, at: Self.moment, cause: "",
                detail: ["arguments": .object(arguments)]),
            LedgerEvent(
                .evidence, of: record.id, at: Self.moment, cause: "the state shows succeeded",
                detail: ["source": "read-back", "stage": "succeeded"]),
        ]
        let steps = CommandExplanation(record, events, at: Self.moment).steps
        #expect(steps.map(\.text).last == sentence)
    }

    private static let moment = Timestamp(milliseconds: 1_764_000_000_000)

    private func record(in state: CommandState, isDryRun: Bool = false) throws -> CommandRecord {
        let issued = Self.moment
        let intent = CommandIntent(
            id: try #require(CommandID("018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11")),
            controller: try ControllerID("app"), home: try HomeID("home-1"),
            device: try DeviceID("robot-1"), name: .locate, sort: .instant, issuedAt: issued,
            expiresAt: issued.advanced(by: .seconds(30)), isDryRun: isDryRun)
        return CommandRecord(
            prepared: PreparedCommand(
                intent: intent, channel: try ChannelID("mqtt"), sequence: 1, payload: []),
            progress: CommandProgress(
                state: state, sends: 3, timings: CommandTimings(createdAt: issued)))
    }
}
