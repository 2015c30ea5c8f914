import Connectivity
import DeviceControl
import DeviceControlPresentation
import DeviceDomain
import DeviceMessages
import Testing

@testable import Dashboard

/// Commands as a page lists them.
@Suite struct CommandListTests {
    @Test(arguments: [(Language.english, "Set reserve (dry run)"), (.chinese, "设置备用电量（试运行）")])
    func aDryRunIsCalledOne(_ language: Language, _ name: String) throws {
        let texts = Texts(language, calendar: LocalCalendar { _ in 0 })
        let dry = try list(of: command(isDryRun: true), texts)
        #expect(dry.contains(">\(name)</strong>"), "\(dry)")
        #expect(try !list(of: command(isDryRun: false), texts).contains(name))
    }

    private func list(of command: CommandSummary, _ texts: Texts) -> String {
        CommandList(texts: texts, now: command.askedAt).render([command]).markup
    }

    private func command(isDryRun: Bool) throws -> CommandSummary {
        let issued = Timestamp(milliseconds: 1_764_000_000_000)
        let intent = CommandIntent(
            id: try #require(CommandID("018f3c1e-7b9a-7c2e-9d5e-3a1f0c9b7e11")),
            controller: try ControllerID("app"), home: try HomeID("home-1"),
            device: try DeviceID("store-1"), name: .setReserve, sort: .setting, issuedAt: issued,
            expiresAt: issued.advanced(by: .seconds(30)), isDryRun: isDryRun)
        let record = CommandRecord(
            prepared: PreparedCommand(
                intent: intent, channel: try ChannelID("mqtt"), sequence: 1, payload: []),
            progress: CommandProgress(
                state: .succeeded, timings: CommandTimings(createdAt: issued, finalAt: issued)))
        return CommandSummary(record, to: "Energy store 1", by: nil)
    }
}
