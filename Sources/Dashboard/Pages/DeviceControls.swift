internal import DeviceControlPresentation
internal import DeviceDomain
internal import SharedPresentation

/// What a device can be told: a button for each command that needs nothing, a form for each that has
/// arguments.
@MainActor
struct DeviceControls {
    let model: DeviceViewModel
    let texts: Texts
    /// A command that was not sent; its form is open.
    let refused: CommandName?

    func render(_ seal: FormSeal) -> HTML {
        let forms = model.forms
        return element("section", .class("card"), .id("commands")) {
            element("h2", text: texts[.commands])
            if forms.isEmpty { element("p", .class("muted"), text: texts[.none]) }
            element("div", .class("row")) {
                forms.filter(\.isQuick).map { quick($0.specification, seal) }
            }
            element("div") {
                forms.filter { !$0.fields.isEmpty }.map { details($0, seal) }
            }
            if model.plan != nil { plan }
        }
    }

    private var plan: HTML {
        element("p") {
            element("a", .class("button"), .href(Route.plan(model.id).path)) {
                Icon.floorPlan.svg
                element("span", text: texts[.plan])
            }
        }
    }

    private func quick(_ command: CommandSpecification, _ seal: FormSeal) -> HTML {
        seal.form(path(command.name), .class("inline")) {
            element(
                "button", .class(command.sort == .action ? "main" : ""),
                text: texts.terms.command(command.name))
        }
    }

    private func details(_ form: CommandForm, _ seal: FormSeal) -> HTML {
        let name = form.specification.name
        let id = "form-\(name.rawValue)"
        return element("details", .class("fold"), .id(id), .init("open", refused == name)) {
            element("summary") {
                element("span", text: texts.terms.command(name))
                " "
                element("span", .class("muted"), text: "…")
            }
            seal.form(path(name), .class("inside stack")) {
                CommandFields(texts: texts, form: form, scope: id, names: model.roomNames).render()
                element("div") { element("button", .class("main"), text: texts[.send]) }
            }
        }
    }

    private func path(_ name: CommandName) -> String {
        "\(Route.device(model.id).path)/commands/\(name.rawValue)"
    }
}

extension DeviceViewModel {
    /// What the rooms of its floor are called, by the values that commands name them with.
    var roomNames: [JSONValue: String] {
        let rooms = plan?.rooms?.rooms ?? []
        return Dictionary(
            rooms.map { room in
                (.integer(room.id), room.name.map { "\(room.id) · \($0)" } ?? "\(room.id)")
            }
        ) { first, _ in first }
    }
}
