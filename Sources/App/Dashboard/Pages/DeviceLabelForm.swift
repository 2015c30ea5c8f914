internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// What the user calls a device, and the room that it is in.
@MainActor
struct DeviceLabelForm {
    let model: DeviceViewModel
    let texts: Texts

    func render(_ token: FormToken) -> HTML {
        element("section", .class("card"), .label(texts[.nameAndRoom])) {
            element("details", .class("fold"), .id("label")) {
                element("summary") { element("span", text: texts[.nameAndRoom]) }
                token.form("\(Route.device(model.id).path)/label#label", .class("inside stack")) {
                    element("div", .class("fields")) {
                        name
                        room
                    }
                    element("div", .class("row")) {
                        element("button", .class("main"), text: texts[.save])
                        element("a", .class("button"), .href(Route.rooms.path), text: texts[.rooms])
                    }
                }
            }
        }
    }

    private var name: HTML {
        element("div", .class("field")) {
            element("label", .init("for", "label-name"), text: texts[.name])
            void(
                "input", .id("label-name"), .init("name", "name"),
                .init("value", model.label.name?.text ?? ""),
                .init("maxlength", "\(GivenName.limit)"), .init("autocomplete", "off"),
                .init("aria-describedby", "label-name-hint"))
            element("span", .class("hint"), .id("label-name-hint"), text: texts[.nameHint])
        }
    }

    private var room: HTML {
        element("div", .class("field")) {
            element("label", .init("for", "label-room"), text: texts[.room])
            element("select", .id("label-room"), .init("name", "room")) {
                element("option", .init("value", ""), text: texts[.none])
                model.rooms.map { room in
                    element(
                        "option", .init("value", room),
                        .init("selected", model.label.room?.text == room), .name, text: room)
                }
            }
        }
    }
}
