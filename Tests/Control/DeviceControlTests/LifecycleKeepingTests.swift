import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceControl

/// A setting for a device that is away goes into the settings that the link keeps for it (PROTOCOL
/// section 2, "desired").
@Suite struct LifecycleKeepingTests {
    private static let ours: JSONObject = ["schedule": ["ours"]]
    private static let others: JSONObject = ["schedule": ["others"]]

    // MARK: Writing

    @Test func itIsReadThenRecordedThenWrittenOnTopOfTheNewestRevision() throws {
        var bench = try bench()
        #expect(bench.handle(.enqueued(.offline)) == [.record, .readSettings])
        #expect(bench.state == .queued)
        #expect(bench.lifecycle.settingsToWrite == nil)
        let kept = DesiredSettings(revision: 7, members: ["schedule": ["old"], "light": true])
        #expect(bench.handle(.settings(DesiredReading(kept: kept))) == [.record])
        #expect(bench.state == .sending)
        #expect(bench.lifecycle.progress.desiredRevision == 8)
        #expect(
            bench.lifecycle.settingsToWrite
                == DesiredSettings(revision: 8, members: ["schedule": ["ours"], "light": true]))
        #expect(bench.handle(.sendEnded(.receipt(.confirmed))) == [.record, .readSettings])
        #expect(bench.state == .sending, "it is read back first")
        #expect(bench.lifecycle.settingsToWrite == nil)
        bench.handle(.settings(reading(8, ["schedule": ["ours"], "light": true])))
        #expect(bench.state == .sent)
        #expect(bench.lifecycle.progress.timings.sentAt == bench.moment.wall)
    }

    @Test(arguments: [
        (DesiredReading(), 1),
        (DesiredReading(applied: DesiredSettings(revision: 12, members: [:])), 13),
        (
            DesiredReading(
                kept: DesiredSettings(revision: 3, members: ours),
                applied: DesiredSettings(revision: 12, members: [:])), 13
        ),
    ])
    func theRevisionIsAboveTheOneThatTheDeviceHasApplied(
        _ reading: DesiredReading, _ revision: Int
    ) throws {
        var bench = try bench()
        bench.handle(.enqueued(.offline), .settings(reading))
        #expect(bench.lifecycle.settingsToWrite?.revision == revision)
    }

    @Test func theHighestRevisionIsRefused() throws {
        var bench = try bench()
        let kept = DesiredSettings(revision: JSONValue.largestInteger, members: [:])
        bench.handle(.enqueued(.offline), .settings(DesiredReading(kept: kept)))
        #expect(bench.state == .refused)
        #expect(bench.lifecycle.progress.message.contains("remove them"))
    }

    @Test func forADeviceThatIsThereItIsACommandLikeAnyOther() throws {
        var bench = try bench()
        #expect(bench.handle(.enqueued(.reachable)).contains { $0.isPublish })
        bench.handle(.sendEnded(.receipt(.confirmed)), .reach(.offline))
        #expect(bench.state == .sent)
        #expect(bench.lifecycle.progress.desiredRevision == nil, "its acknowledgement is awaited")
    }

    @Test(arguments: [
        (ChannelTraits.all(but: .desired), nil, false, OfflinePolicy.desired),
        (.all, 4, false, .desired), (.all, nil, true, .desired), (.all, nil, false, .latest),
    ])
    func whatOnlyTheDeviceCanCheckWaitsForTheDevice(
        _ traits: ChannelTraits, _ ifRevision: Int?, _ isDryRun: Bool, _ policy: OfflinePolicy
    ) throws {
        var bench = try LifecycleBench(
            sort: .setting, offline: policy, traits: traits, name: "set-schedule",
            arguments: ["entries": ["ours"]], ifRevision: ifRevision, isDryRun: isDryRun)
        #expect(bench.handle(.enqueued(.offline)) == [.record])
        #expect(bench.state == .queued)
        #expect(bench.handle(.reach(.reachable)).contains { $0.isPublish })
    }

    @Test func withoutALinkItWaits() throws {
        var bench = try bench()
        #expect(bench.handle(.enqueued(.linkDown("no link"))) == [.record])
        #expect(bench.handle(.reach(.offline)) == [.record, .readSettings])
    }

    @Test(arguments: [SendResult.neverLeft("no link"), .mayHaveLeft("the link broke")])
    func aFailedReadingIsTriedAgain(_ result: SendResult) throws {
        var bench = try bench()
        bench.handle(.enqueued(.offline), .sendEnded(result))
        #expect(bench.state == .queued)
        #expect(!bench.lifecycle.progress.mayHaveLeft)
        #expect(bench.passToNextWake().contains(.readSettings))
    }

    @Test func settingsThatCannotBeReadAreLeftAloneAndRefuseTheCommand() throws {
        var bench = try bench()
        bench.handle(.enqueued(.offline), .sendEnded(.cannotLeave(.notReady, "it is damaged")))
        #expect(bench.state == .refused)
        #expect(bench.lifecycle.progress.message == "it is damaged")
    }

    @Test func aWriteThatNeverLeftIsMadeAnewOnTopOfWhatOthersWrote() throws {
        var bench = try written(confirmed: false)
        bench.handle(.sendEnded(.neverLeft("no link")))
        #expect(bench.lifecycle.progress.sends == 0)
        bench.passToNextWake()
        bench.handle(.settings(reading(1, Self.others)))
        #expect(bench.lifecycle.settingsToWrite?.revision == 2)
    }

    @Test func aRefusedWriteIsDefinite() throws {
        var bench = try written(confirmed: false)
        bench.handle(.sendEnded(.receipt(.refused(.forbidden, "no"))))
        #expect(bench.state == .refused)
        #expect(bench.lifecycle.progress.code == .forbidden)
    }

    // MARK: Not twice

    @Test func whatIsFoundWrittenIsNotWrittenAgain() throws {
        var bench = try written(confirmed: false)
        bench.handle(.sendEnded(.mayHaveLeft("the link broke")))
        #expect(bench.passToNextWake().contains(.readSettings))
        bench.handle(.settings(reading(1, Self.ours)))
        #expect(bench.state == .sent)
        #expect(bench.lifecycle.settingsToWrite == nil)
        #expect(bench.lifecycle.progress.sends == 1)
    }

    @Test func whatIsFoundMissingIsWrittenAgain() throws {
        var bench = try written(confirmed: false)
        bench.handle(.sendEnded(.mayHaveLeft("the link broke")))
        bench.passToNextWake()
        bench.handle(.settings(DesiredReading()))
        #expect(bench.lifecycle.settingsToWrite == DesiredSettings(revision: 1, members: Self.ours))
        #expect(bench.lifecycle.progress.sends == 2)
    }

    @Test func anotherWritersRevisionIsNotOverwritten() throws {
        var bench = try written(confirmed: false)
        bench.handle(.sendEnded(.mayHaveLeft("the link broke")))
        bench.passToNextWake()
        bench.handle(.settings(reading(1, Self.others)))
        expectToGiveWay(&bench)
    }

    /// What the other writer has written gets a higher revision, so that no device takes what was written before.
    private func expectToGiveWay(_ bench: inout LifecycleBench) {
        #expect(
            bench.lifecycle.settingsToWrite == DesiredSettings(revision: 2, members: Self.others))
        bench.handle(.sendEnded(.receipt(.confirmed)), .settings(reading(2, Self.others)))
        #expect(bench.state == .superseded)
    }

    @Test(
        arguments: [true, false],
        [
            (Reach.offline, ChannelTraits.all), (.reachable, .all),
            (.offline, .all(but: .asking)),
        ])
    func aNewProcessReadsBeforeItWrites(
        _ isConfirmed: Bool, _ world: (reach: Reach, traits: ChannelTraits)
    ) throws {
        let (reach, traits) = world
        var bench = try written(confirmed: isConfirmed, traits: traits).afterCrash()
        #expect(bench.handle(.adopted(reach)).contains(.readSettings))
        #expect(bench.lifecycle.settingsToWrite == nil)
        bench.handle(.settings(reading(1, Self.ours)))
        #expect(bench.state == .sent)
        #expect(bench.lifecycle.progress.sends == 1)
    }

    @Test func aNewProcessWritesWhatWasNotWritten() throws {
        var bench = try written(confirmed: false).afterCrash()
        bench.handle(.adopted(.offline), .settings(DesiredReading()))
        #expect(bench.lifecycle.settingsToWrite?.revision == 1)
        #expect(bench.state == .sending)
    }

    @Test func aNewProcessLearnsThatTheDeviceHasAppliedIt() throws {
        var bench = try written(confirmed: true).afterCrash()
        let applied = DesiredSettings(revision: 1, members: Self.ours)
        bench.handle(.adopted(.reachable), .settings(DesiredReading(applied: applied)))
        #expect(bench.state == .succeeded)
    }

    @Test func aNewProcessWaitsForTheLinkBeforeItReads() throws {
        var bench = try written(confirmed: true).afterCrash()
        #expect(!bench.handle(.adopted(.linkDown(""))).contains(.readSettings))
        #expect(bench.handle(.reach(.offline)) == [.readSettings])
    }

    @Test(arguments: [CommandState.sent, .unknown])
    func whatTheDeviceToldWhileTheLinkWasDownIsRead(_ state: CommandState) throws {
        var bench = try written(confirmed: true)
        if state == .unknown { bench.pass(.seconds(30)) }
        #expect(bench.handle(.reach(.linkDown("no link"))) == [])
        #expect(bench.handle(.reach(.reachable)) == [.readSettings])
        #expect(bench.state == state)
        let applied = DesiredSettings(revision: 1, members: Self.ours)
        bench.handle(.settings(DesiredReading(applied: applied)))
        #expect(bench.state == .succeeded)
    }

    @Test func aDeviceThatComesAndGoesIsListenedToOnly() throws {
        var bench = try written(confirmed: true)
        #expect(bench.handle(.reach(.reachable)) == [])
        #expect(bench.handle(.reach(.offline)) == [])
        #expect(bench.state == .sent)
    }

    @Test func nothingIsReadAfterTheDeviceHasToldTheEnd() throws {
        var bench = try written(confirmed: true).afterCrash()
        bench.handle(.adopted(.reachable))
        #expect(bench.lifecycle.awaitsSettings)
        bench.handle(.applied(DesiredSettings(revision: 1, members: Self.ours)))
        #expect(!bench.lifecycle.awaitsSettings)
        #expect(bench.handle(.settings(reading(1, Self.others))) == [])
        #expect(bench.state == .succeeded)
    }

    @Test func aNewProcessThatCannotReadTriesAgain() throws {
        var bench = try written(confirmed: true).afterCrash()
        bench.handle(.adopted(.offline), .sendEnded(.neverLeft("timed out")))
        #expect(bench.state == .sent)
        #expect(bench.passToNextWake() == [.readSettings])
    }

    @Test func aNewProcessThatFindsDamagedSettingsSaysSo() throws {
        var bench = try written(confirmed: true).afterCrash()
        bench.handle(.adopted(.offline), .sendEnded(.cannotLeave(.notReady, "it is damaged")))
        #expect(bench.state == .unknown)
        #expect(bench.lifecycle.progress.message == "it is damaged")
    }

    // MARK: The end

    @Test(arguments: [1, 4])
    func theDeviceTellsThatItHasAppliedIt(_ revision: Int) throws {
        var bench = try written(confirmed: true)
        bench.handle(.reach(.reachable))
        bench.handle(.applied(DesiredSettings(revision: revision, members: Self.ours)))
        #expect(bench.state == .succeeded)
        #expect(bench.lifecycle.progress.timings.observedAt == bench.moment.wall)
    }

    /// What the device reports, what the link keeps then, and what follows.
    @Test(
        arguments: [
            (
                DesiredSettings(revision: 0, members: ours),
                DesiredSettings(revision: 1, members: ours), CommandState.sent, nil
            ),
            (
                DesiredSettings(revision: 1, members: [:]),
                DesiredSettings(revision: 1, members: ours), .succeeded, nil
            ),
            (DesiredSettings(revision: 1, members: [:]), nil, .succeeded, nil),
            (DesiredSettings(revision: 4, members: [:]), nil, .superseded, nil),
            (DesiredSettings(revision: 4, members: others), nil, .superseded, nil),
            (
                DesiredSettings(revision: 4, members: others),
                DesiredSettings(revision: 4, members: others), .superseded, nil
            ),
            // Two documents had revision 1, and the device has the other one.
            (
                DesiredSettings(revision: 1, members: others),
                DesiredSettings(revision: 1, members: ours), .sending,
                DesiredSettings(revision: 2, members: ours)
            ),
            (
                DesiredSettings(revision: 1, members: ["light": true]),
                DesiredSettings(revision: 1, members: ours), .sending,
                DesiredSettings(revision: 2, members: ["light": true, "schedule": ["ours"]])
            ),
            // Another writer had not read the setting.
            (
                DesiredSettings(revision: 2, members: ["light": true]),
                DesiredSettings(revision: 2, members: ["light": true]), .sending,
                DesiredSettings(revision: 3, members: ["light": true, "schedule": ["ours"]])
            ),
            // A slow writer wrote an older revision over it.
            (
                DesiredSettings(revision: 0, members: [:]),
                DesiredSettings(revision: 0, members: others), .sending,
                DesiredSettings(revision: 1, members: ours)
            ),
        ] as [(DesiredSettings, DesiredSettings?, CommandState, DesiredSettings?)])
    func whatIsKeptTellsWhyTheDeviceReportsAnythingElse(
        _ applied: DesiredSettings, _ kept: DesiredSettings?, _ state: CommandState,
        _ written: DesiredSettings?
    ) throws {
        var bench = try self.written(confirmed: true)
        bench.handle(.reach(.reachable))
        #expect(bench.handle(.applied(applied)) == [.readSettings])
        bench.handle(.settings(DesiredReading(kept: kept, applied: applied)))
        #expect(bench.state == state)
        #expect(bench.lifecycle.settingsToWrite == written)
    }

    @Test func whoseBytesAreNotThereGoesOnFromTheNewerRevision() throws {
        var bench = try written(confirmed: false)
        bench.handle(.sendEnded(.receipt(.confirmed)), .settings(reading(1, ["light": true])))
        #expect(
            bench.lifecycle.settingsToWrite
                == DesiredSettings(revision: 2, members: ["light": true, "schedule": ["ours"]]))
    }

    @Test func whoseSettingWasReplacedMeanwhileGivesWay() throws {
        var bench = try written(confirmed: false)
        bench.handle(.sendEnded(.receipt(.confirmed)), .settings(reading(1, Self.others)))
        expectToGiveWay(&bench)
    }

    /// Another process cannot tell whether the device passed the document by or has taken a later command.
    @Test func afterACrashTheDocumentFollowsADeviceThatHasAnotherValue() throws {
        var bench = try written(confirmed: true).afterCrash()
        let applied = DesiredSettings(revision: 1, members: Self.others)
        bench.handle(.adopted(.reachable))
        bench.handle(
            .settings(
                DesiredReading(
                    kept: DesiredSettings(revision: 1, members: Self.ours), applied: applied)))
        #expect(
            bench.lifecycle.settingsToWrite == DesiredSettings(revision: 2, members: Self.others))
        bench.handle(.sendEnded(.receipt(.confirmed)), .settings(reading(2, Self.others)))
        #expect(bench.state == .superseded)
    }

    @Test func aDeviceThatNeverReportsTheSettingEndsTheWriting() throws {
        var bench = try written(confirmed: true)
        bench.handle(.reach(.reachable))
        var revision = 1
        for _ in 0..<50 {
            let applied = DesiredSettings(revision: revision, members: ["light": true])
            bench.handle(.applied(applied))
            bench.handle(
                .settings(
                    DesiredReading(
                        kept: DesiredSettings(revision: revision, members: Self.ours),
                        applied: applied)))
            guard let next = bench.lifecycle.settingsToWrite else { continue }
            revision = next.revision
            bench.handle(.sendEnded(.receipt(.confirmed)), .settings(reading(revision, Self.ours)))
        }
        #expect(bench.state == .unknown)
        #expect(bench.lifecycle.progress.message.contains("does not report this one"))
        #expect(revision == KeptSetting.mostWrites)
    }

    @Test func whatWasPutAwayIsNotReadAgain() throws {
        var bench = try written(confirmed: true)
        bench.pass(.seconds(30))
        let away = try #require(bench.lifecycle.progress.putAway(at: bench.moment.wall))
        bench.handle(.withdrawn(away))
        #expect(bench.handle(.applied(DesiredSettings(revision: 0, members: [:]))) == [])
        bench.handle(.applied(DesiredSettings(revision: 1, members: Self.ours)))
        #expect(bench.state == .succeeded, "what the device tells still counts")
    }

    @Test func theDeviceMayReportItBeforeTheLinkHasConfirmedIt() throws {
        var bench = try written(confirmed: false)
        bench.handle(.applied(DesiredSettings(revision: 1, members: Self.ours)))
        #expect(bench.state == .succeeded)
        #expect(bench.lifecycle.progress.timings.sentAt == bench.moment.wall)
        #expect(bench.handle(.sendEnded(.receipt(.confirmed))) == [])
    }

    @Test func nothingIsDueFromADeviceThatIsAway() throws {
        var bench = try written(confirmed: true)
        #expect(!bench.lifecycle.isAnswerDue)
        bench.handle(.reach(.reachable))
        #expect(bench.lifecycle.isAnswerDue)
    }

    @Test func whatWasNotWrittenInTimeExpires() throws {
        var bench = try bench()
        bench.handle(.enqueued(.offline))
        bench.pass(.seconds(30))
        #expect(bench.state == .expired)
        #expect(bench.handle(.settings(DesiredReading())) == [])
    }

    @Test func whatIsKeptBecomesUnknownAndStaysOpenUntilTheDeviceTells() throws {
        var bench = try written(confirmed: true)
        bench.pass(.seconds(30))
        #expect(bench.state == .unknown)
        #expect(bench.lifecycle.progress.message.contains("has not applied it yet"))
        #expect(bench.lifecycle.progress.isOpen)
        bench.pass(.seconds(1_000_000))
        bench.handle(.applied(DesiredSettings(revision: 1, members: Self.ours)))
        #expect(bench.state == .succeeded)
        #expect(!bench.lifecycle.progress.isOpen)
    }

    @Test(arguments: [
        (ours, CommandState.unknown, "has not applied it yet"),
        ([:], .unknown, "is no longer"), (others, .superseded, "took its place"),
    ])
    func lateReadingChangesNothingOnTheLink(
        _ members: JSONObject, _ state: CommandState, _ message: String
    ) throws {
        var bench = try written(confirmed: true)
        bench.pass(.seconds(30))
        bench = bench.afterCrash()
        bench.handle(.adopted(.offline))
        let kept = members.isEmpty ? nil : DesiredSettings(revision: 1, members: members)
        bench.handle(.settings(DesiredReading(kept: kept)))
        #expect(bench.state == state)
        #expect(bench.lifecycle.progress.message.contains(message))
        #expect(bench.lifecycle.settingsToWrite == nil)
    }

    @Test func whatSurelyWasNotWrittenBeforeItsTimePassedExpires() throws {
        var bench = try written(confirmed: false)
        bench.moment.elapsed += .seconds(31)
        bench.moment.wall = bench.moment.wall.advanced(by: .seconds(31))
        bench = bench.afterCrash()
        bench.handle(.adopted(.offline), .settings(DesiredReading()))
        #expect(bench.state == .expired)
    }

    /// As where access rules let a user write it in vain, or hide it.
    @Test func whatIsConfirmedAndNeverShownIsNotWrittenForEver() throws {
        var bench = try bench()
        bench.handle(.enqueued(.offline))
        for _ in 1...10 {
            bench.handle(.settings(DesiredReading()))
            #expect(bench.state == .sending)
            bench.handle(.sendEnded(.receipt(.confirmed)))
        }
        bench.handle(.settings(DesiredReading()))
        #expect(bench.state == .unknown && bench.lifecycle.progress.sends == 10)
        #expect(bench.lifecycle.progress.message.contains("may write and read"))
        #expect(!bench.lifecycle.awaitsSettings)
        bench.handle(.reach(.reachable), .settings(DesiredReading()))
        #expect(bench.state == .unknown && bench.lifecycle.settingsToWrite == nil)
    }

    // MARK: The log

    @Test func theLogNamesTheRevisions() throws {
        var bench = try bench()
        bench.handle(.enqueued(.offline))
        let before = bench.lifecycle.progress
        let event = LifecycleEvent.settings(reading(7, Self.others))
        bench.handle(event)
        let log = bench.lifecycle.log(of: event, since: before, at: bench.moment)
        #expect(log.map(\.kind) == [.read, .sent])
        #expect(log.first?.cause == "the settings kept for robot-1 have revision 7")
        #expect(log.last?.detail["desiredRevision"] == 8)
        #expect(log.last?.state == .sending)
    }

    @Test func theLogNamesTheEffectThatAReadingShows() throws {
        var bench = try written(confirmed: true)
        bench = bench.afterCrash()
        bench.handle(.adopted(.offline))
        let before = bench.lifecycle.progress
        let applied = DesiredSettings(revision: 1, members: Self.ours)
        let event = LifecycleEvent.settings(DesiredReading(applied: applied))
        bench.handle(event)
        let log = bench.lifecycle.log(of: event, since: before, at: bench.moment)
        #expect(log.map(\.kind) == [.read, .observed])
        #expect(log.last?.state == .succeeded)
    }

    private func bench(traits: ChannelTraits = .all) throws -> LifecycleBench {
        try LifecycleBench(
            sort: .setting, offline: .desired, traits: traits, name: "set-schedule",
            arguments: ["entries": ["ours"]])
    }

    /// A command that was written as revision 1, where nothing was kept before.
    private func written(confirmed: Bool, traits: ChannelTraits = .all) throws -> LifecycleBench {
        var bench = try bench(traits: traits)
        bench.handle(.enqueued(.offline), .settings(DesiredReading()))
        if confirmed {
            bench.handle(.sendEnded(.receipt(.confirmed)), .settings(reading(1, Self.ours)))
        }
        return bench
    }

    private func reading(_ revision: Int, _ members: JSONObject) -> DesiredReading {
        DesiredReading(kept: DesiredSettings(revision: revision, members: members))
    }
}
