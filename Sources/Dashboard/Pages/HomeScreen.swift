internal import DeviceDomain
internal import HomeModel

/// The first page: what needs attention, and every device by its kind.
@MainActor
struct HomeScreen: Screen {
    let state: HomeState
    let texts: Texts

    private var words: DeviceWords { DeviceWords(texts: texts) }

    var title: String { texts[.home] }

    func live() -> LiveContent {
        let devices = state.allDevices
        let parts =
            [LivePart("attention") { attention(Attention.all(in: state)) }]
            + devices.map { device in LivePart(Self.part(of: device)) { card(device) } }
        // Another kind or name moves a card to another place.
        let shape = devices.map { "\($0.id) \($0.known.profile?.kind.rawValue ?? "")" }
        return LiveContent(parts: parts, shape: shape.joined(separator: "\n"))
    }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
        .joined([
            element("h1", text: texts[.home]),
            parts(
                "attention", "section", .class("card"), .init("aria-labelledby", "attention-title")),
            groups(parts),
        ])
    }

    private static func part(of device: DeviceState) -> String { "device-\(device.id)" }

    // MARK: Attention

    private func attention(_ all: [Attention]) -> HTML {
        .joined([
            element("h2", .id("attention-title"), text: texts[.attention]),
            all.isEmpty
                ? element("p", .class("row")) {
                    Badge(tone: .good, text: texts[.nothingToDo]).html
                }
                : element("ul", .class("attention")) { all.prefix(12).map(item) },
            all.count > 12
                ? element("p", .class("muted"), text: "+ \(all.count - 12)") : .empty,
        ])
    }

    private func item(_ attention: Attention) -> HTML {
        element("li") {
            element("span", .class(attention.isBad ? "bad" : "warn")) {
                (attention.isBad ? Icon.problem : .warning).svg
            }
            element("span") {
                if let device = attention.device {
                    element("a", .href(Route.device(device).path), text: attention.name)
                    " — "
                }
                AttentionWords(texts: texts).sentence(attention.reason)
            }
        }
    }

    // MARK: Devices

    private func groups(_ parts: LiveParts) -> HTML {
        let devices = state.allDevices
        guard !devices.isEmpty else {
            return EmptyState(
                icon: .device, title: texts[.noDevicesTitle], text: texts[.noDevicesText]
            ).html
        }
        let byKind = Dictionary(grouping: devices) { $0.known.profile?.kind.rawValue ?? "" }
        return .joined(
            byKind.sorted { $0.key < $1.key }.map { kind, members in
                element("section", .class("stack")) {
                    element("h2") {
                        kind.isEmpty
                            ? texts[.unknown] : texts.terms.kind(DeviceKind(rawValue: kind))
                        element("span", .class("muted"), text: " \(members.count)")
                    }
                    element("ul", .class("grid")) {
                        members.map { device in
                            parts(Self.part(of: device), "li", .class("card device"))
                        }
                    }
                }
            })
    }

    private func card(_ device: DeviceState) -> HTML {
        let known = device.known
        return .joined([
            element("div", .class("head")) {
                DeviceWords.icon(known.profile?.kind).svg
                element("div") {
                    element(
                        "a", .class("name"), .href(Route.device(device.id).path),
                        text: device.name)
                    element("div", .class("muted small"), text: known.profile?.model.rawValue ?? "")
                }
            },
            element("div", .class("facts")) {
                words.presence(known.connection)
                words.activity(known)
                words.charge(known)
            },
        ])
    }
}

/// Why something needs attention, in the language of the page.
struct AttentionWords: Sendable {
    let texts: Texts

    func sentence(_ reason: Attention.Reason) -> String {
        switch reason {
        case .link(let error): "\(texts[.disconnected]): \(error)"
        case .ledger(let error): error
        case .error(let code): "\(texts.terms.member("error")): \(texts.terms.value(code))"
        case .alarms(let codes):
            "\(texts.terms.member("alarms")): "
                + codes.map(texts.terms.value).joined(separator: ", ")
        case .problem(let text):
            texts.choose(english: "says something wrong: ", chinese: "发布的内容有误：") + text
        case .lowBattery(let percent):
            texts.choose(english: "battery at ", chinese: "电量仅剩 ")
                + texts.format.number(percent, decimals: 0) + "%"
        case .fullDustbin(let percent):
            texts.choose(english: "dustbin ", chinese: "尘盒已满 ")
                + texts.format.number(percent, decimals: 0)
                + texts.choose(english: "% full", chinese: "%")
        case .offline: texts[.offline]
        case .undecided(let name):
            "\(texts.terms.command(name)): \(texts[.outcomeUnknown])"
        }
    }
}
