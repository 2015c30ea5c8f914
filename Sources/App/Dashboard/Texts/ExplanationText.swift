internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import DeviceMessages
internal import Markup

/// What happened to a command and what happens next, in the language of the page. The ledger's own sentences
/// are English; in Chinese they are made of the same facts.
struct ExplanationText: Sendable {
    let texts: Texts
    let explanation: CommandExplanation
    /// Whether the command only asks what the device would say.
    let isDryRun: Bool

    private var record: CommandRecord { explanation.record }
    private var commandText: CommandText { CommandText(texts: texts) }

    /// What its state means.
    var meaning: String {
        texts.choose(english: explanation.meaning, chinese: chineseMeaning)
    }

    /// What it waits for.
    var next: String { texts.choose(english: explanation.next, chinese: chineseNext) }

    /// Something that happened.
    func step(_ step: CommandExplanation.Step) -> HTML {
        switch texts.language {
        case .english: return HTML(step.text)
        case .chinese:
            let state = step.state.map { "（\(Self.name(of: $0))）" } ?? ""
            return .joined([HTML(event(step) + state), reported(step)])
        }
    }

    // MARK: In Chinese

    /// What the device says beyond the stage: its code, and its own message as a quotation.
    private func reported(_ step: CommandExplanation.Step) -> HTML {
        let code = step.detail["code"]?.string.map(AckCode.init(rawValue:)) ?? .ok
        let meaning = texts.meaning(of: code) ?? (code == .ok ? nil : code.rawValue)
        let percent = step.detail["percent"]?.number.map {
            "\(texts.format.number($0, decimals: 0))%"
        }
        let facts = [meaning, percent].compactMap(\.self).map { "，\($0)" }.joined()
        guard let message = step.detail["message"]?.string else { return HTML(facts) }
        return .joined([HTML("\(facts)，设备原话："), commandText.quote(message)])
    }

    private func event(_ step: CommandExplanation.Step) -> String {
        switch step.kind {
        case .created: "已记入账本"
        case .sent where step.detail["desiredRevision"] != nil: "已写入为设备保存的设置"
        case .sent:
            (step.detail["attempt"]?.integer ?? 1) == 1
                ? "已发送" : "再次发送（第 \(step.detail["attempt"]?.integer ?? 1) 次）"
        case .read: "已读取为设备保存的设置"
        case .receipt: Self.receipts[step.detail["receipt"]?.string ?? ""] ?? "链路报告了发送结果"
        case .evidence: source(step) + stage(step)
        case .asked: "已询问设备此命令的结果"
        case .answered: Self.answers[step.detail["outcome"]?.string ?? ""] ?? "设备没有回答询问"
        case .putAway: "已搁置：结果仍然未知，不再跟进"
        case .moved: "家庭已迁移到另一个代理"
        case .adopted: "由另一个进程继续跟进"
        case .owner:
            step.detail["instance"]?.string.map { "此家庭从此由实例 \($0) 负责" }
                ?? "负责此家庭的实例已放弃它"
        case .reach: "与设备的连接有变化"
        case .observed: "在设备状态中看到效果"
        case .withdrawn: "已撤回，或被其他命令取代"
        case .deadline: "到达时限"
        case .anomaly: "收到不符合协议的消息，结果不变"
        default: "状态变化"
        }
    }

    private func source(_ step: CommandExplanation.Step) -> String {
        switch step.detail["source"]?.string {
        case "bridge": "网桥报告："
        case "read-back": "设备状态显示："
        default: "设备报告："
        }
    }

    private func stage(_ step: CommandExplanation.Step) -> String {
        let stage = step.detail["stage"]?.string ?? ""
        return Self.stages[stage] ?? stage
    }

    private static let receipts = [
        "confirmed": "代理或网桥已确认收到", "confirmed-without-evidence": "代理或网桥已确认收到，无法得知是否生效",
        "no-receiver": "没有设备订阅此命令", "refused": "发送被拒绝",
        "never-left": "未能发出", "may-have-left": "可能已经发出",
    ]
    private static let answers = [
        "known": "设备回答了询问", "never": "设备回答：从未收到此命令", "forgotten": "设备回答：已无法得知结果",
    ]
    private static let stages = [
        "accepted": "已接受", "progress": "执行中", "succeeded": "已完成", "failed": "失败", "rejected": "拒绝",
        "cancelled": "已取消", "superseded": "已被取代", "expired": "已过期",
    ]

    static func name(of state: CommandState) -> String {
        switch state {
        case .created: "已创建"
        case .queued: "等待中"
        case .sending: "发送中"
        case .sent: "已送达"
        case .accepted: "已接受"
        case .running: "执行中"
        case .succeeded: "已完成"
        case .failed: "失败"
        case .rejected: "被设备拒绝"
        case .cancelled: "已撤回"
        case .superseded: "已被取代"
        case .refused: "发出前已放弃"
        case .expired: "已过期"
        case .unknown: "结果未知"
        }
    }

    private var chineseMeaning: String {
        let dryRun = isDryRun ? "这是试运行，不会改变任何东西。" : ""
        return stateMeaning + dryRun
    }

    private var isKept: Bool { record.progress.isKept && record.state != .unknown }

    private var stateMeaning: String {
        if isKept { return "已写入为设备保存的设置，设备尚未报告已应用。" }
        return switch record.state {
        case .created, .queued:
            record.progress.mayHaveLeft ? "不确定是否已经发出，设备尚未应答。" : "在这里等待，尚未发出。"
        case .sending: "正在发送，尚未得到确认。"
        case .sent where record.progress.isClosed: "代理或网桥已收到，无法得知是否生效。"
        case .sent: "代理或网桥已收到，设备尚未应答。"
        case .accepted: "设备已接受。"
        case .running: "设备正在执行。"
        case .succeeded: "设备报告已完成。"
        case .failed: "设备尝试执行，但没有成功。"
        case .rejected: "设备拒绝执行，没有产生效果。"
        case .cancelled: "已撤回。"
        case .superseded: "已被其他命令取代。"
        case .refused: "在到达设备之前已放弃，没有产生效果。"
        case .expired: "超过可开始执行的时间，没有产生效果。"
        case .unknown: "不确定设备是否已经执行。"
        }
    }

    private var chineseNext: String {
        if isKept { return "设备回来后会应用此设置，并在其状态中报告。" }
        return switch record.state {
        case .sent where record.progress.isClosed: "已经结束，不再有后续。"
        case .unknown where record.progress.isClosed: "已经搁置，不再跟进。"
        case .created, .queued: "设备可以连接时发送；超过时限则过期。"
        case .sending, .sent: "等待设备应答；没有应答时会再次发送或询问设备。"
        case .accepted, .running: "等待设备报告结果；长时间没有消息时会询问设备。"
        case .unknown: "不会再次发送，以免执行两次；设备之后的应答会说明结果。"
        case .succeeded, .failed, .rejected, .cancelled, .superseded, .refused, .expired:
            "已经结束，不再有后续。"
        }
    }
}
