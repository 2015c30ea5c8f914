internal import Connectivity
internal import DeviceDomain
internal import Homeport

/// The links of the home, and what is wrong with its set-up.
@MainActor
struct ChannelsScreen: Screen {
    let state: HomeState
    let doctor: DoctorDesk
    let texts: Texts

    var title: String { texts[.channels] }

    func live() -> LiveContent {
        LiveContent(parts: [
            LivePart("links") { links },
            LivePart("findings") { findings },
        ])
    }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
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
        .joined(
            state.links.sorted { $0.key < $1.key }.map { channel, link in
                element("div", .class("card")) {
                    element("div", .class("row spread")) {
                        element("h2", text: channel.text)
                        LinkWords(texts: texts).badge(link)
                    }
                    element("dl", .class("values wide")) {
                        pair(.address, state.home.address(of: channel))
                        pair(.devices, "\(count(channel))")
                    }
                    LinkWords(texts: texts).problem(link).map {
                        Notice(tone: .bad, text: $0).html
                    }
                }
            })
    }

    private func count(_ channel: ChannelID) -> Int {
        state.allDevices.count { $0.known.channel == channel }
    }

    private func pair(_ name: Phrase, _ value: String) -> HTML {
        element("div") {
            element("dt", text: texts[name])
            element("dd", text: value)
        }
    }

    // MARK: Doctor

    private var findings: HTML {
        switch doctor.status {
        case .idle: return button(.runDoctor)
        case .running: return element("p", text: texts[.doctorRunning])
        case .done(let findings, let moment):
            let wrong = findings.filter { $0.status != .ok }
            return .joined([
                wrong.isEmpty
                    ? Notice(tone: .good, text: texts[.allWell]).html
                    : .joined(wrong.map(notice)),
                element("p", .class("muted small"), text: texts.format.timeWithSeconds(moment)),
                element("details", .class("fold"), .id("checks")) {
                    element("summary", text: "\(texts[.done]): \(findings.count - wrong.count)")
                    element("ul", .class("inside attention")) {
                        findings.filter { $0.status == .ok }.map { finding in
                            element("li") {
                                Icon.done.svg
                                element("span", text: finding.message)
                            }
                        }
                    }
                },
                button(.runDoctor),
            ])
        }
    }

    private func notice(_ finding: Finding) -> HTML {
        let tone: Tone = finding.status == .problem ? .bad : .warn
        return Notice(tone: tone, text: finding.message, remedy: finding.remedy).html
    }

    private func button(_ text: Phrase) -> HTML {
        element("div") {
            ActionButton(text: texts[text], path: "/channels/check", style: "main").html
        }
    }
}

/// Whether a link works, in the language of the page.
struct LinkWords: Sendable {
    let texts: Texts

    func badge(_ link: LinkState) -> HTML {
        switch link {
        case .connected: Badge(tone: .good, text: texts[.connected]).html
        case .limited: Badge(tone: .warn, text: texts[.connected]).html
        case .connecting: Badge(tone: .info, text: texts[.connecting], icon: .waiting).html
        case .lost: Badge(tone: .bad, text: texts[.disconnected]).html
        }
    }

    /// The worst link of a home.
    @MainActor
    func all(_ home: HomeState) -> HTML {
        let links = home.links.sorted { $0.key < $1.key }.map(\.value)
        let worst = links.first { !$0.isConnected } ?? links.first
        return badge(worst ?? .connecting)
    }

    func problem(_ link: LinkState) -> String? {
        switch link {
        case .lost(let error, _), .limited(let error): "\(error)"
        case .connecting, .connected: nil
        }
    }
}
