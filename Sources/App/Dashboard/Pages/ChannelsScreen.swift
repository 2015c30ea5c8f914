internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// The links of the home, and what is wrong with its set-up.
@MainActor
struct ChannelsScreen: Screen {
    let model: ChannelsViewModel
    let texts: Texts

    var title: String { texts[.channels] }

    func live() -> LiveContent {
        LiveContent(parts: [
            LivePart("links") { links },
            LivePart("findings") { findings },
        ])
    }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("h1", text: texts[.channels]),
            parts("links", "section", .class("stack"), .label(texts[.link])),
            element("section", .class("card")) {
                element("h2", text: texts[.doctor])
                element("p", .class("muted"), text: texts[.doctorText])
                parts("findings", "div", .class("stack"), .init("aria-live", "polite"))
            },
        ])
    }

    // MARK: Links

    private var links: HTML {
        let empty = element("p", .class("muted"), text: texts[.none])
        return Placeholder(texts: texts, empty: empty).html(model.state)
            ?? .joined((model.state.content ?? []).map(card))
    }

    private func card(_ channel: ChannelsViewModel.Channel) -> HTML {
        element("div", .class("card")) {
            element("div", .class("row spread")) {
                element("h2", .name, text: channel.id.text)
                LinkText(texts: texts).badge(channel.link)
            }
            element("dl", .class("values wide")) {
                pair(.address, element("span", .name, text: channel.address))
                pair(.devices, HTML("\(channel.deviceCount)"))
            }
            LinkText(texts: texts).problem(channel.link).map {
                Notice(tone: .bad, text: $0).html
            }
        }
    }

    private func pair(_ name: Phrase, _ value: HTML) -> HTML {
        element("div") {
            element("dt", text: texts[name])
            element("dd") { value }
        }
    }

    // MARK: Doctor

    private var findings: HTML {
        switch model.checks {
        case .idle: return button(.runDoctor)
        case .running: return element("p", text: texts[.doctorRunning])
        case .done(let findings, let moment):
            let wrong = findings.filter { $0.status != .ok }
            return .joined([
                wrong.isEmpty
                    ? Notice(tone: .good, text: texts[.allWell]).html
                    : .joined(wrong.map(notice)),
                element("p", .class("muted small"), text: checked(at: moment)),
                element("details", .class("fold"), .id("checks")) {
                    element(
                        "summary", text: "\(texts[.inOrder]): \(findings.count - wrong.count)")
                    element("ul", .class("inside attention")) {
                        findings.filter { $0.status == .ok }.map { finding in
                            element("li") {
                                Icon.done.svg
                                element("span") { DoctorText(texts: texts).passed(finding) }
                            }
                        }
                    }
                },
                button(.runDoctor),
            ])
        }
    }

    private func checked(at moment: Timestamp) -> String {
        let time = texts.format.dateAndTime(moment, now: MachineClock.wallTime)
        return texts.choose(english: "Checked at \(time)", chinese: "检查时间：\(time)")
    }

    private func notice(_ finding: DoctorFinding) -> HTML {
        DoctorText(texts: texts).notice(finding)
    }

    private func button(_ text: Phrase) -> HTML {
        element("div") {
            ActionButton(text: texts[text], path: "/channels/check", style: "main").html
        }
    }
}

/// Whether a link works, in the language of the page.
struct LinkText: Sendable {
    let texts: Texts

    func badge(_ link: LinkStanding) -> HTML {
        switch link {
        case .connected: Badge(tone: .good, text: texts[.connected]).html
        case .limited: Badge(tone: .warn, text: texts[.connected]).html
        case .connecting: Badge(tone: .info, text: texts[.connecting], icon: .waiting).html
        case .lost: Badge(tone: .bad, text: texts[.disconnected]).html
        }
    }

    /// The worst link of a home.
    func worst(_ state: ScreenState<[ChannelsViewModel.Channel]>) -> HTML {
        let links = (state.content ?? []).map(\.link)
        return badge(links.first { !$0.isUp } ?? links.first ?? .connecting)
    }

    func problem(_ link: LinkStanding) -> String? {
        switch link {
        case .lost(let failure, _), .limited(let failure): texts.cause(failure)
        case .connecting, .connected: nil
        }
    }
}

extension LinkStanding {
    /// Whether it works, if not for everything.
    fileprivate var isUp: Bool {
        switch self {
        case .connected, .limited: true
        case .connecting, .lost: false
        }
    }
}
