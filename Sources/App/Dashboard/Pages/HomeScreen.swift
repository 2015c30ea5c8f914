internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// The first page: what needs attention, and every device by its kind.
@MainActor
struct HomeScreen: Screen {
    let model: HomeViewModel
    let texts: Texts
    private let cards = PartCache<Card>()

    /// What a card shows.
    private struct Card: Hashable, Identifiable {
        let device: DeviceSummary
        /// How old that is, which changes with the time.
        let age: String?

        var id: DeviceID { device.id }
    }

    init(model: HomeViewModel, texts: Texts) {
        self.model = model
        self.texts = texts
    }

    var title: String { texts[.home] }
    private var deviceText: DeviceText { DeviceText(texts: texts) }

    func live() -> LiveContent {
        guard let home = model.state.content else {
            return LiveContent(parts: [LivePart("standing") { standing }], shape: "standing")
        }
        let devices = home.groups.flatMap(\.devices)
        let parts =
            [LivePart("attention") { attention(home.attention) }]
            + cards.parts(of: devices.map { Card(device: $0, age: deviceText.age($0)) }) { card in
                LivePart(Self.part(of: card.device)) { self.card(card.device) }
            }
        // Another kind moves a card to another group; the order of the parts says the rest.
        let shape = home.groups.map { "\($0.kind?.rawValue ?? "") \($0.devices.count)" }
        return LiveContent(parts: parts, shape: shape.joined(separator: "\n"))
    }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("h1", text: texts[.home]),
            parts("standing"),
            parts(
                "attention", "section", .class("card"), .init("aria-labelledby", "attention-title")),
            .joined((model.state.content?.groups ?? []).map { group($0, parts) }),
        ])
    }

    private static func part(of device: DeviceSummary) -> String { "device-\(device.id)" }

    private var standing: HTML? {
        let empty = EmptyState(
            icon: .device, title: texts[.noDevicesTitle], text: texts[.noDevicesText])
        return Placeholder(texts: texts, empty: empty.html).html(model.state)
    }

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
                    element(
                        "a", .href(Route.device(device).path), .name, text: attention.name)
                    " — "
                }
                AttentionText(texts: texts).html(attention.reason)
                // What can be done about it stands on the page of the command.
                if case .undecided(_, let command) = attention.reason {
                    " "
                    element("a", .href(Route.command(command).path), text: texts[.explain])
                }
            }
        }
    }

    // MARK: Devices

    private func group(_ group: HomeContent.Group, _ parts: LiveParts) -> HTML {
        element("section", .class("stack")) {
            element("h2") {
                group.kind.map(texts.terms.kind) ?? texts[.unknown]
                element("span", .class("muted"), text: " \(group.devices.count)")
            }
            element("ul", .class("grid")) {
                group.devices.map { device in
                    parts(Self.part(of: device), "li", .class("card device"))
                }
            }
        }
    }

    private func card(_ device: DeviceSummary) -> HTML {
        .joined([
            element("div", .class("head")) {
                DeviceText.icon(device.kind).svg
                element("div") {
                    element(
                        "a", .class("name"), .href(Route.device(device.id).path), .name,
                        text: device.name)
                    element(
                        "div", .class("muted small"), .name,
                        text: device.room ?? device.model?.rawValue ?? "")
                }
            },
            element("div", .class("facts")) { deviceText.facts(device) },
        ])
    }
}

/// Why something needs attention, in the language of the page.
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
}
