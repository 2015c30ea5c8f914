internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// The first page: what needs attention, and every device by its room or kind, with the buttons that fit its state.
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
            [LivePart("attention") { attention(home) }, LivePart("news") { news }]
            + cards.parts(of: devices.map { Card(device: $0, age: deviceText.age($0)) }) { card in
                LivePart(Self.part(of: card.device)) { self.card(card.device) }
            }
        // Another room or kind moves a card to another group; the order of the parts says the rest.
        let shape = home.groups.map { "\($0.heading) \($0.devices.count)" }
        return LiveContent(parts: parts, shape: shape.joined(separator: "\n"))
    }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("div", .class("row spread")) {
                element("h1", text: texts[.home])
                element("a", .class("button little"), .href(Route.rooms.path)) {
                    Icon.floorPlan.svg
                    element("span", text: texts[.rooms])
                }
            },
            parts("standing"),
            parts(
                "attention", "section", .class("card"), .init("aria-labelledby", "attention-title")),
            parts("news", "section", .class("card news"), .label(texts[.toldByRules])),
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

    private func attention(_ home: HomeContent) -> HTML {
        let all = home.attention
        return .joined([
            element("h2", .id("attention-title"), text: texts[.attention]),
            all.isEmpty
                ? element("p", .class("row")) {
                    Badge(tone: .good, text: texts[.nothingToDo]).html
                }
                : element("ul", .class("attention")) {
                    all.prefix(12).map { item($0, home) }
                },
            all.count > 12
                ? element("p", .class("muted"), text: "+ \(all.count - 12)") : .empty,
        ])
    }

    /// What rules have told; nothing where they have told nothing.
    private var news: HTML? {
        guard !model.told.isEmpty else { return nil }
        let now = MachineClock.wallTime
        return .joined([
            element("h2", text: texts[.toldByRules]),
            element("ul") {
                model.told.map { notice in
                    element("li") {
                        "\(texts.format.dateAndTime(notice.at, now: now)) · "
                        texts.told(notice.text, by: notice.rule)
                    }
                }
            },
        ])
    }

    private func item(_ attention: Attention, _ home: HomeContent) -> HTML {
        let text = AttentionText(texts: texts)
        return element("li") {
            element("span", .class(attention.isBad ? "bad" : "warn")) {
                (attention.isBad ? Icon.problem : .warning).svg
            }
            element("span") {
                if let device = attention.device {
                    element(
                        "a", .href(Route.device(device).path), .name, text: attention.name)
                    " — "
                }
                text.html(attention.reason)
                text.remedy(attention.reason).map {
                    element(
                        "span", .class("muted"),
                        text: texts.choose(english: ". \($0)", chinese: "。\($0)"))
                }
            }
            element("span", .class("row")) { steps(attention, home) }
        }
    }

    /// What can be done about it from here.
    private func steps(_ attention: Attention, _ home: HomeContent) -> HTML {
        switch attention.reason {
        case .undecided(let name, let command):
            let path = Route.command(command).path
            return .joined([
                element(
                    "a", .class("button little"), .href(path),
                    .label("\(texts[.explain]): \(texts.terms.command(name))"),
                    text: texts[.explain]),
                ActionButton(
                    text: texts[.putAway], path: "\(path)/put-away?from=\(Route.home.path)",
                    label: "\(texts[.putAway]): \(texts.terms.command(name))"
                ).html,
            ])
        case .lowBattery:
            let device = home.groups.flatMap(\.devices).first { $0.id == attention.device }
            let dock = device?.fitting.first { $0.name == .returnToDock }
            guard let device, let dock else { return .empty }
            return FittingButtons(texts: texts, from: .home).button(dock, of: device, "little")
        case .link, .doubtful, .problem:
            return element(
                "a", .class("button little"), .href(Route.channels.path), text: texts[.channels])
        case .storage, .error, .alarms, .fullDustbin, .offline: return .empty
        }
    }

    // MARK: Devices

    private func group(_ group: HomeContent.Group, _ parts: LiveParts) -> HTML {
        element("section", .class("stack")) {
            element("h2") {
                heading(group.heading)
                element("span", .class("muted"), text: " \(group.devices.count)")
            }
            if group.devices.isEmpty { element("p", .class("muted"), text: texts[.emptyRoom]) }
            element("ul", .class("grid")) {
                group.devices.map { device in
                    parts(Self.part(of: device), "li", .class("card device"))
                }
            }
        }
    }

    private func heading(_ heading: HomeContent.Group.Heading) -> HTML {
        switch heading {
        case .room(let name): element("span", .name, text: name)
        case .kind(let kind): HTML(kind.map(texts.terms.kind) ?? texts[.unknown])
        case .noRoom: HTML(texts[.noRoom])
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
                        text: device.model?.rawValue ?? "")
                }
            },
            element("div", .class("facts")) { deviceText.facts(device) },
            FittingButtons(texts: texts, from: .home).render(device),
        ])
    }
}
