internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// The rooms that the user has made, and the form that adds one.
@MainActor
struct RoomsScreen: Screen {
    let model: RoomsViewModel
    let texts: Texts

    var title: String { texts[.rooms] }

    func live() -> LiveContent {
        LiveContent(parts: [LivePart("rooms") { list }])
    }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("h1", text: texts[.rooms]),
            element("p", .class("muted"), text: texts[.roomsText]),
            parts("rooms", "section", .class("stack"), .label(texts[.rooms])),
            add(form),
        ])
    }

    // MARK: The list

    private var list: HTML {
        let empty = EmptyState(
            icon: .floorPlan, title: texts[.noRoomsTitle], text: texts[.noRoomsText])
        return Placeholder(texts: texts, empty: empty.html).html(model.state)
            ?? element("ul", .class("grid")) { (model.state.content ?? []).map(card) }
    }

    private func card(_ room: RoomsViewModel.Room) -> HTML {
        element("li", .class("card stack tight")) {
            element("h2", .name, text: room.name)
            room.devices.isEmpty
                ? element("p", .class("muted"), text: texts[.emptyRoom])
                : element("ul", .class("attention")) {
                    room.devices.map { device in
                        element("li") {
                            element(
                                "a", .href(Route.device(device.id).path), .name, text: device.name)
                        }
                    }
                }
            element("div") {
                ActionButton(
                    text: texts[.remove],
                    path: "\(Route.rooms.path)/remove?\(FormValues.encoded([("room", room.name)]))",
                    style: "little danger", label: "\(texts[.remove]): \(room.name)"
                ).html
            }
        }
    }

    // MARK: Adding

    private func add(_ form: FormToken) -> HTML {
        let isWrong = model.failure != nil && !model.entry.isEmpty
        return element("section", .class("card"), .id("add")) {
            element("h2", text: texts[.addRoom])
            form.form("\(Route.rooms.path)#add", .class("fields")) {
                element("div", .class("field")) {
                    element("label", .init("for", "room-name"), text: texts[.name])
                    HTML.void(
                        "input",
                        [
                            .id("room-name"), .init("name", "name"), .init("value", model.entry),
                            .init("maxlength", "\(GivenName.limit)"),
                            .init("required"), .init("autocomplete", "off"),
                        ]
                            + (isWrong
                                ? [
                                    .init("aria-invalid", "true"),
                                    .init("aria-describedby", "room-name-wrong"),
                                ] : []))
                    if isWrong, let failure = model.failure {
                        element(
                            "span", .class("wrong"), .id("room-name-wrong"),
                            text: texts.cause(failure))
                    }
                }
                element("div") { element("button", .class("main"), text: texts[.addRoom]) }
            }
        }
    }
}
