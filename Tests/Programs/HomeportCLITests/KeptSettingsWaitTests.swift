import Homeport
import TerminalOutput
import Testing

@testable import HomeportCLI

/// How long `send` waits for a setting that the broker may keep for days, and what it says then.
@Suite struct KeptSettingsWaitTests {
    @Test(arguments: [
        (OfflinePolicy.desired, Duration.seconds(86_400), Duration.seconds(30) as Duration?),
        (.desired, .seconds(30), nil), (.desired, .seconds(5), nil),
        (.expire(after: .seconds(600)), .seconds(600), nil),
    ])
    func onlyALongWaitForASettingIsLimited(
        _ policy: OfflinePolicy, _ lifetime: Duration, _ limit: Duration?
    ) throws {
        #expect(try record(policy, lifetime).longestUsualWait == limit)
    }

    @Test func theUserReadsThatTheSettingIsKept() throws {
        let call = Call(console: Console(isVerbose: false))
        var record = try record(.desired, .seconds(86_400))
        #expect(
            record.afterWait(of: call, ChannelTraits(ChannelTrait.allCases)).hasPrefix(
                "the wait has ended without an answer"))
        record.progress.desiredRevision = 8
        #expect(
            record.afterWait(of: call, ChannelTraits(ChannelTrait.allCases)).contains(
                "the broker keeps the setting for pool-1"))
    }

    private func record(_ policy: OfflinePolicy, _ lifetime: Duration) throws -> CommandRecord {
        let sample = try SampleHome().record(1, "set-schedule", to: "pool-1", .sent)
        var intent = sample.intent
        intent.offline = policy
        intent.expiresAt = intent.issuedAt.advanced(by: lifetime)
        return CommandRecord(
            prepared: PreparedCommand(
                intent: intent, channel: sample.prepared.channel, sequence: 1, payload: []),
            progress: sample.progress)
    }
}
