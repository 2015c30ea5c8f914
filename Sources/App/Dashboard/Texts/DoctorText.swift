internal import DeviceControlPresentation
internal import Markup
internal import SharedPresentation

/// What the checks have found, in the language of the page. What to do is a link where a page can do it.
struct DoctorText: Sendable {
    let texts: Texts

    /// Something that is wrong.
    func notice(_ finding: DoctorFinding) -> HTML {
        let tone: BadgeTone = finding.status == .problem ? .bad : .warn
        return element("div", .class("notice \(tone.rawValue)"), .init("role", "status")) {
            tone.icon.svg
            element("div", .class("stack tight")) {
                element("p") { cause(finding) }
                element("p", .class("small")) { remedy(finding) }
            }
        }
    }

    /// Something that is in order.
    func passed(_ finding: DoctorFinding) -> HTML {
        let english = "\(texts.terms.value(finding.check)): \(finding.cause)"
        return HTML(texts.choose(english: english, chinese: name(of: finding)))
    }

    private func cause(_ finding: DoctorFinding) -> HTML {
        guard texts.language == .chinese else { return HTML(finding.cause) }
        let state = finding.status == .problem ? "有问题" : "需要留意"
        return .joined([HTML("\(name(of: finding))：\(state)。"), quote(finding.cause)])
    }

    private func remedy(_ finding: DoctorFinding) -> HTML {
        if let page = Self.pages[finding.check] {
            return element("a", .href(page.route.path), text: texts[page.text])
        }
        guard texts.language == .chinese else { return HTML(finding.remedy) }
        return finding.remedy.isEmpty ? .empty : quote(finding.remedy)
    }

    /// The words of the check, which are English.
    private func quote(_ text: String) -> HTML {
        element("q", .name, .init("lang", "en"), text: text)
    }

    private func name(of finding: DoctorFinding) -> String {
        Self.names[finding.check] ?? "检查"
    }

    /// The pages on which something can be done about a finding.
    private static let pages: [String: (route: Route, text: Phrase)] = [
        "unknown-outcomes": (.queue, .seeUndecided)
    ]

    private static let names = [
        "configuration-file": "配置文件", "options": "选项与环境变量", "versions": "程序与库的版本",
        "limits": "进程限制", "meeting-point": "模拟程序的会合点", "server": "后台服务",
        "ledger-file": "账本文件", "ledger": "账本", "audit-chain": "账本日志的完整性",
        "disk-space": "磁盘空间", "unknown-outcomes": "结果未知的命令", "keychain": "钥匙串",
        "credentials": "用户名与密码", "tls-files": "证书与密钥", "broker": "代理",
        "broker-limits": "代理的功能", "access-control": "代理的访问权限",
        "retained-messages": "代理保留的消息", "broker-queue": "代理的消息队列", "latency": "消息延迟",
        "devices": "设备应答", "clock": "时钟", "device-ids": "设备标识",
    ]
}
