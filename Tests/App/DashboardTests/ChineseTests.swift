import Automation
import Connectivity
import DeviceControl
import DeviceControlPresentation
import DeviceDomain
import DeviceMessages
import Markup
import ProvisioningPresentation
import SharedPresentation
import TestSupport
import Testing

@testable import Dashboard

/// Chinese pages are Chinese: no Latin word stands there but names, quotations and units.
@MainActor @Suite(.timeLimit(.minutes(1))) struct ChineseTests {
    private let texts = Texts(.chinese, calendar: LocalCalendar { _ in 0 })

    /// What is the same in every language.
    private static let common: Set<String> = [
        "Homeport", "homeport", "serve", "homeport-sim", "run", "Wi-Fi", "JSON", "Zigbee", "Matter",
        "W",
        "kW",
        "kWh", "C", "V", "A", "m", "s", "min", "ms", "ft", "F", "English", "CSV", "http", "dBm",
        "Deg",
        "provision", "security", "allow-weak-session",
    ]

    /// The Latin words of a text.
    private func latin(_ text: String) -> Set<String> {
        let words = text.utf8.split { !Self.isLetter($0) && $0 != UInt8(ascii: "-") }
        let found = words.compactMap { word -> String? in
            let trimmed = word.drop { $0 == UInt8(ascii: "-") }
            return trimmed.isEmpty ? nil : String(decoding: trimmed, as: UTF8.self)
        }
        return Set(found).subtracting(Self.common)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// What a page says, without tags, names and quotations. Bytes are read, because a page is long.
    private func said(by page: String) -> String {
        var (text, skipped) = ([UInt8](), 0)
        for piece in Array(page.utf8).split(separator: UInt8(ascii: "<")) {
            let end = piece.firstIndex(of: UInt8(ascii: ">")) ?? piece.startIndex
            let tag = String(decoding: piece[..<end], as: UTF8.self)
            if tag.hasPrefix("/") {
                skipped = max(0, skipped - 1)
            } else if !tag.hasSuffix("/"), skipped > 0 || Self.isSkipped(tag) {
                skipped += 1
            }
            if skipped == 0 { text += piece[end...] }
        }
        return String(decoding: text, as: UTF8.self)
            .replacing("&#39;", with: " ").replacing("&quot;", with: " ")
    }

    private static func isSkipped(_ tag: String) -> Bool {
        tag.contains("translate=\"no\"") || tag.hasPrefix("title") || tag == "q"
    }

    @Test func everyCodeHasAChineseText() {
        for code in AckCode.known where code != .ok {
            #expect(texts.meaning(of: code).map(latin) == [], "\(code)")
        }
        for code in FaultCodes.codes { #expect(latin(texts.faults.sentence(code)).isEmpty) }
        let known = Texts.knownCodes
        for code in known.failures {
            let cause = texts.cause(Failure("English", .tryAgain, code: code))
            #expect(latin(cause).isEmpty, "\(code): \(cause)")
        }
        for code in known.provisioning {
            let cause = texts.cause(ProvisioningFailure("English", .runAgain, code: code))
            #expect(latin(cause).isEmpty, "\(code): \(cause)")
        }
        for action in UserAction.allCases { #expect(latin(texts.advice(action)).isEmpty) }
        for remedy in Remedy.allCases { #expect(latin(texts.remedy(remedy)).isEmpty) }
        for state in CommandState.allCases {
            #expect(latin(ExplanationText.name(of: state)).isEmpty)
        }
    }

    @Test func theDoctorLeadsToThePageThatCanDoSomethingAndQuotesTheRest() {
        let unknown = DoctorFinding(
            check: "unknown-outcomes", status: .warning, cause: "2 outcomes are unknown",
            remedy: "'homeport resolve' asks the devices")
        let broker = DoctorFinding(
            check: "broker", status: .problem, cause: "the broker is away", remedy: "start it")
        for language in Language.allCases {
            let words = DoctorText(texts: Texts(language, calendar: LocalCalendar { _ in 0 }))
            let notice = words.notice(unknown).markup
            #expect(notice.contains("href=\"/queue\"") && !notice.contains("resolve"))
            #expect(words.notice(broker).markup.contains("start it"))
        }
        let words = DoctorText(texts: texts)
        for page in [words.notice(unknown), words.notice(broker), words.passed(broker)] {
            #expect(latin(said(by: page.markup)).isEmpty, "\(page.markup)")
        }
    }

    @Test(arguments: [
        ("it was 07:13", "到了 07:13"), ("sunset at 18:05", "日落 18:05"),
        ("Sweeper 3 (sweeper-3) is offline: presence=offline for 5m", "Sweeper 3 (sweeper-3)：离线"),
        ("pool-1 reports powerLevel eco: powerLevel=eco", "pool-1：功率档 节能"),
        ("s-1 reports batteryPercent 19.5: batteryPercent<20", "s-1：电量 19.5%"),
        ("Robbie reported stuck (TRAPPED)", "Robbie：被困住（被困住）"),
        ("Robbie reported docked", "Robbie：已回到充电座"),
        (
            "rule 6 (r13) triggers itself again and again, and is paused",
            "规则 6 (r13) 反复触发自己，已停止。"
        ),
        (
            "rules 6 (r13), 7 (r14) trigger each other again and again, and are paused",
            "规则 6 (r13), 7 (r14) 互相反复触发，已停止。"
        ),
    ])
    func whatRulesSayIsChinese(english: String, chinese: String) throws {
        func plain(_ page: HTML) -> String {
            page.markup.replacing("<span translate=\"no\">", with: "")
                .replacing("</span>", with: "").replacing("&lt;", with: "<")
        }
        let reason = texts.reason(english)
        #expect(plain(reason) == chinese)
        #expect(latin(said(by: reason.markup)).isEmpty)
        let rule = try GivenName("Night: lights")
        #expect(plain(texts.told(english, by: rule)) == "Night: lights：\(chinese)")
        let inEnglish = Texts(.english, calendar: LocalCalendar { _ in 0 })
        #expect(plain(inEnglish.reason(english)) == english)
        #expect(plain(inEnglish.told(english, by: rule)) == "Night: lights: \(english)")
    }

    @Test func whatCannotBeReadIsQuotedAsEnglish() throws {
        let quoted = "<q translate=\"no\" lang=\"en\">7 more were dropped</q>"
        #expect(texts.told("7 more were dropped", by: nil).markup == quoted)
        let told = texts.told("7 more were dropped", by: try GivenName("night"))
        #expect(told.markup == "<span translate=\"no\">night</span>：\(quoted)")
    }

    @Test(arguments: [
        RuleReason.time("07:13"), .sun(.sunrise, at: "06:40"),
        .event("stuck", code: nil, device: "R2 (r-2)"),
        .event("fault", code: "TRAPPED", device: "R2 (r-2)"),
        .presence(.online, device: "R2 (r-2)"),
        .value("{\"a\": 1}", member: "update.state", device: "R2"), .triggersItself("1 (up)"),
        .triggerEachOther("1 (up), 2 (down)"),
    ])
    func whatRulesSayCanBeReadAgain(reason: RuleReason) {
        let tail: String
        switch reason {
        case .presence: tail = ": presence=online for 5m"
        case .value: tail = ": update.state=1"
        case .time, .sun, .event, .triggersItself, .triggerEachOther: tail = ""
        }
        #expect(RuleReason(reading: "\(reason)\(tail)") == reason)
        #expect(RuleReason(reading: "something else") == nil)
    }

    @Test func theRulesPageAndTheHomePageSayInChineseWhatRulesSay() async throws {
        try await Browsers.run { browsers in
            let cause = "Robbie is offline: presence=offline"
            let reason = "rules 1 (a), 2 (b) trigger each other again and again, and are paused"
            let plan = try RulePlan(
                name: try GivenName("a"), trigger: .presence(.offline), actions: [.notify])
            try await browsers.home.addRule(plan)
            browsers.home.stopRules(reason, after: cause)
            for (number, text) in [cause, reason].enumerated() {
                browsers.memory.ruleTold(
                    text, by: plan.name, at: Timestamp(milliseconds: number + 1))
            }
            for path in ["/rules", "/"] {
                let page = await browsers.browser().read(
                    path, cookies: ["homeport-language": "zh-Hans"]
                ).text
                #expect(page.contains("：离线") && page.contains("互相反复触发"), "\(path)")
                #expect(!page.contains("is offline") && !page.contains("trigger each"), "\(path)")
            }
        }
    }

    @Test(arguments: ["sweeper-s1", "pool-c1", "store-e10"])
    func everyPageIsChineseInEveryState(model: String) async throws {
        try await Browsers.run { browsers in
            let home = browsers.home
            try home.announce(model, as: "device")
            await until { browsers.memory.devices.count == 1 }
            try home.presence(.online, of: "device")
            let state: JSONObject = [
                "activity": "error", "error": "HARDWARE_FAULT", "schedule": [], "program": .null,
                "mode": "time-of-use", "alarms": ["grid-outage"], "fanSpeed": "max",
                "powerLevel": "boost", "isCharging": false, "filterPercent": 9,
            ]
            try home.state(state, of: "device")
            try home.sample(
                ["batteryPercent": 9, "stateOfChargePercent": 8, "gridPowerW": -1_200], of: "device"
            )
            await until { browsers.memory.devices.values.first?.sampledAt != nil }
            let browser = browsers.browser()
            await walk(browser, "online")
            browsers.home.loseLink()
            await until { browsers.memory.devices.values.first?.presence != .online }
            await walk(browser, "without a link")
            home.fail(Failure("disk I/O error", .checkStorage, code: "ledger"))
            _ = await browser.send("/devices/device/commands/identify")
            await walk(browser, "without storage")
        }
    }

    private func walk(_ browser: Browser, _ moment: String) async {
        let paths = [
            "/", "/devices/device", "/energy", "/energy?range=year", "/history", "/log",
            "/rooms", "/queue", "/schedules",
            "/schedules?add=device/stop", "/rules", "/rules?test=1",
            "/rules?when=value&do=notify", "/rules?when=event&do=device:device/stop",
            "/provisioning", "/channels", "/settings", "/nowhere",
        ]
        for path in paths {
            let page = await browser.read(
                path, cookies: ["homeport-language": "zh-Hans"])
            let words = latin(said(by: page.text))
            #expect(words.isEmpty, "\(path), \(moment): \(words.sorted())")
        }
    }
}
