import Connectivity
import DeviceControl
import DeviceControlPresentation
import DeviceDomain
import DeviceMessages
import Markup
import SharedPresentation
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

    @Test func whatADeviceSaysIsSaidByItsCodeInEveryLanguage() throws {
        let words = "a wheel is blocked"
        for (language, text) in [
            (Language.english, "The device is stuck: <q translate=\"no\">\(words)</q>"),
            (.chinese, "设备被卡住"),
        ] {
            let texts = Texts(language, calendar: LocalCalendar { _ in 0 })
            let failed = try command(.failed, code: .stuck, message: words)
            #expect(list(of: failed, texts).contains(" · \(text)</div>"), "\(language)")
            // A code that nobody knows leaves the words of the device, as a quotation.
            let own = try command(
                .failed, code: AckCode(rawValue: "MOTOR_7"), message: "motor 7 is hot")
            #expect(list(of: own, texts).contains("· <q translate=\"no\">motor 7 is hot</q>"))
        }
    }

    @Test(arguments: [
        (CommandState.unknown, "设备没有应答"), (.expired, "未能及时发出"), (.queued, "正在等待设备"),
        (.superseded, "已被其他命令取代"), (.refused, "没有执行此操作的权限"),
    ])
    func theLedgerSpeaksTheLanguageOfThePage(_ state: CommandState, _ reason: String) throws {
        let texts = Texts(.chinese, calendar: LocalCalendar { _ in 0 })
        let command = try command(
            state, code: state == .refused ? .forbidden : nil, message: "in English")
        let list = list(of: command, texts)
        #expect(list.contains(reason) && !list.contains("in English"), "\(list)")
    }

    private func list(of command: CommandSummary, _ texts: Texts) -> String {
        CommandList(texts: texts, now: command.askedAt, page: .queue).render([command]).markup
    }

    private func command(isDryRun: Bool) throws -> CommandSummary {
        try command(.succeeded, isDryRun: isDryRun)
    }

    private func command(
        _ state: CommandState, code: AckCode? = nil, message: String = "", isDryRun: Bool = false
    ) throws -> CommandSummary {
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
                state: state, code: code, message: message,
                timings: CommandTimings(createdAt: issued, finalAt: issued)))
        return CommandSummary(record, to: "Energy store 1", by: nil)
    }
}
