import Connectivity
import DeviceDomain
import DeviceMessages
import Testing

@testable import DeviceControl

/// What a reading of the settings that a link keeps says of one of them, which was written as revision 5.
@Suite struct KeptSettingTests {
    private static let ours: JSONObject = ["schedule": ["ours"]]
    private static let others: JSONObject = ["schedule": ["others"]]
    private static let thirds: JSONObject = ["schedule": ["thirds"]]
    private static let light: JSONObject = ["light": true]

    /// A reading, what is known of the setting, and the verdict.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var kept: DesiredSettings?
        var applied: DesiredSettings?
        var change: @Sendable (inout KeptSetting) -> Void = { _ in }
        let verdict: KeptSetting.Verdict
    }

    private static func at(_ revision: Int, _ members: JSONObject) -> DesiredSettings {
        DesiredSettings(revision: revision, members: members)
    }

    private static let withoutWrite: @Sendable (inout KeptSetting) -> Void = { $0.revision = nil }
    private static let overruled: @Sendable (inout KeptSetting) -> Void = { $0.isOverruled = true }
    private static let givenWay: @Sendable (inout KeptSetting) -> Void = { $0.hasGivenWay = true }
    private static let deaf: @Sendable (inout KeptSetting) -> Void = { $0.hearsSinceWrite = false }
    private static let writtenOften: @Sendable (inout KeptSetting) -> Void = {
        $0.writes = KeptSetting.mostWrites
    }

    static let cases = [
        Case(
            testDescription: "not written before", kept: at(7, ours), applied: at(7, ours),
            change: withoutWrite, verdict: .missing),
        Case(testDescription: "nothing is kept", verdict: .missing),
        Case(
            testDescription: "older revisions only", kept: at(4, ours), applied: at(4, ours),
            verdict: .missing),
        Case(testDescription: "kept, not applied", kept: at(5, ours), verdict: .kept),
        Case(testDescription: "kept in a later one", kept: at(6, ours), verdict: .kept),
        Case(
            testDescription: "kept, an older one applied", kept: at(5, ours),
            applied: at(4, others), verdict: .kept),
        Case(
            testDescription: "applied", kept: at(5, ours), applied: at(5, ours), verdict: .applied),
        Case(
            testDescription: "applied, replaced since", kept: at(6, others), applied: at(5, ours),
            verdict: .applied),
        Case(
            testDescription: "applied, settings not reported", kept: at(5, ours),
            applied: at(5, [:]), verdict: .applied),
        Case(
            testDescription: "document removed, revision applied", applied: at(5, [:]),
            verdict: .applied),
        Case(
            testDescription: "document removed, later revision applied", applied: at(6, [:]),
            verdict: .replaced),
        Case(
            testDescription: "document removed, other value applied", applied: at(5, others),
            verdict: .replaced),
        Case(
            testDescription: "document removed, other setting applied", applied: at(5, light),
            verdict: .lost),
        Case(testDescription: "later other value", kept: at(6, others), verdict: .replaced),
        Case(
            testDescription: "other value, same revision", kept: at(5, others), verdict: .contested),
        Case(
            testDescription: "other value, same revision, after giving way", kept: at(5, others),
            change: givenWay, verdict: .replaced),
        Case(
            testDescription: "other value, same revision, applied", kept: at(5, others),
            applied: at(5, others), verdict: .replaced),
        Case(
            testDescription: "three values", kept: at(5, others), applied: at(5, thirds),
            verdict: .outdone),
        Case(testDescription: "without it", kept: at(6, light), verdict: .lost),
        Case(
            testDescription: "without it, overruled", kept: at(6, light), change: overruled,
            verdict: .replaced),
        Case(
            testDescription: "passed by", kept: at(5, ours), applied: at(5, others), verdict: .lost),
        Case(
            testDescription: "passed by, reports missed", kept: at(5, ours), applied: at(5, others),
            change: deaf, verdict: .outdone),
        Case(
            testDescription: "passed by, overruled", kept: at(5, ours), applied: at(5, others),
            change: overruled, verdict: .outdone),
        Case(
            testDescription: "passed by too often", kept: at(5, ours), applied: at(5, others),
            change: writtenOften, verdict: .outdone),
        Case(
            testDescription: "not reported, reports missed", kept: at(5, ours),
            applied: at(5, light), change: deaf, verdict: .lost),
        Case(
            testDescription: "not reported too often", kept: at(5, ours), applied: at(5, light),
            change: writtenOften, verdict: .ignored),
    ]

    @Test(arguments: cases) func aReadingSaysOneThing(_ example: Case) throws {
        let reading = DesiredReading(kept: example.kept, applied: example.applied)
        #expect(try setting(example.change).verdict(on: reading) == example.verdict)
    }

    @Test func whatIsWrittenHasARevisionAboveEveryOther() throws {
        let reading = DesiredReading(kept: Self.at(3, Self.light), applied: Self.at(4, Self.others))
        #expect(
            try setting().step(after: reading, isLate: false)
                == .write(Self.at(5, ["schedule": ["ours"], "light": true])))
        let applied = DesiredReading(kept: Self.at(6, Self.light), applied: Self.at(9, Self.others))
        #expect(
            try setting().step(after: applied, isLate: false)
                == .write(Self.at(10, ["schedule": ["ours"], "light": true])))
    }

    @Test func whatHoldsInsteadIsWrittenForTheOthers() throws {
        let contested = DesiredReading(kept: Self.at(5, Self.others))
        #expect(
            try setting().step(after: contested, isLate: false) == .write(Self.at(6, Self.others)))
        let outdone = DesiredReading(kept: Self.at(5, Self.ours), applied: Self.at(5, Self.others))
        #expect(
            try setting(Self.deaf).step(after: outdone, isLate: false)
                == .write(Self.at(6, Self.others)))
    }

    @Test func nothingIsWrittenLate() throws {
        let late = { (change: @Sendable (inout KeptSetting) -> Void, reading: DesiredReading) in
            try self.setting(change).step(after: reading, isLate: true)
        }
        #expect(try late({ _ in }, DesiredReading()) == .expire)
        #expect(try late({ _ in }, DesiredReading(kept: Self.at(5, Self.others))) == .giveWay)
        let passedBy = DesiredReading(kept: Self.at(5, Self.ours), applied: Self.at(5, Self.others))
        #expect(try late(Self.deaf, passedBy) == .giveWay)
        for step in [
            try late({ $0.wasFound = true }, DesiredReading()),
            try late({ _ in }, DesiredReading(kept: Self.at(6, Self.light))),
        ] {
            guard case .loseTrack(let reason) = step else {
                Issue.record("\(step)")
                continue
            }
            #expect(reason.contains("no longer"))
        }
    }

    private func setting(
        _ change: @Sendable (inout KeptSetting) -> Void = { _ in }
    ) throws -> KeptSetting {
        var setting = KeptSetting(
            device: try #require(DeviceID(rawValue: "feeder-1")), wanted: Self.ours, revision: 5,
            writes: 1, hearsSinceWrite: true)
        change(&setting)
        return setting
    }
}
