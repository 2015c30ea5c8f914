internal import Markup
internal import SharedPresentation

/// Why something needs attention and what to do about it, in the language of the page.
struct AttentionText: Sendable {
    let texts: Texts

    /// The sentence; what a library says of a device's messages is quoted.
    func html(_ reason: Attention.Reason) -> HTML {
        guard case .problem(let text) = reason else { return HTML(sentence(reason)) }
        let says = texts.choose(english: "says something wrong: ", chinese: "发布的内容有误：")
        return .joined([HTML(says), CommandText(texts: texts).quote(text)])
    }

    private func sentence(_ reason: Attention.Reason) -> String {
        switch reason {
        case .link(let failure): "\(texts[.disconnected]): \(texts.cause(failure))"
        case .storage(let failure): "\(texts.cause(failure)) \(texts.remedy(failure.remedy))"
        case .error(let code): texts.faults.sentence(code)
        case .alarms(let codes): codes.map(texts.faults.sentence).joined(separator: "; ")
        case .problem(let text): text
        case .lowBattery(let percent):
            texts.choose(english: "battery at ", chinese: "电量仅剩 ")
                + texts.format.number(percent, decimals: 0) + "%"
        case .fullDustbin(let percent):
            texts.choose(english: "dustbin ", chinese: "尘盒已满 ")
                + texts.format.number(percent, decimals: 0)
                + texts.choose(english: "% full", chinese: "%")
        case .offline: texts[.offline]
        case .doubtful: texts[.presenceUnknown]
        case .undecided(let name, _):
            "\(texts.terms.command(name)): \(texts[.outcomeUnknown])"
        }
    }

    /// What a person can do about it; `nil` where the sentence says it, or a button beside it does it.
    func remedy(_ reason: Attention.Reason) -> String? {
        switch reason {
        case .link(let failure): texts.remedy(failure.remedy)
        case .problem:
            texts.choose(
                english: "Update its firmware, or ask its maker.", chinese: "请更新设备固件，或联系设备厂商。")
        case .lowBattery: texts.choose(english: "Charge it.", chinese: "请充电。")
        case .fullDustbin: texts.choose(english: "Empty it.", chinese: "请清空尘盒。")
        case .offline:
            texts.choose(
                english: "Switch it on, and see that its network reaches it.",
                chinese: "请打开设备，并确认网络能覆盖到它。")
        case .doubtful: texts.remedy(.checkConnection)
        case .storage, .error, .alarms, .undecided: nil
        }
    }
}
