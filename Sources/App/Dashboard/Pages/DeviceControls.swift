internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// What a device can be told: a button for each command that needs nothing, a form for each that has
/// arguments. Buttons change with the state of the device: those that fit it stand at the top of the page, and one
/// that would do nothing now says why.
@MainActor
struct DeviceControls {
    let model: DeviceViewModel
    let texts: Texts
    /// A command whose form is open: one that was not sent, or that a link leads to.
    let opened: CommandName?

    /// The commands that have no form on the plan of a robot.
    private var forms: [CommandForm] {
        model.plan == nil
            ? model.forms : model.forms.filter { $0.specification.name != .startCleaning }
    }

    /// The buttons.
    func live() -> [LivePart] {
        let quick = forms.filter { $0.isQuick && !$0.fields.isEmpty }.map(\.specification)
        return [LivePart("quick") { self.quick }]
            + quick.map { command in
                LivePart(Self.part(of: command.name)) { button(command, isInForm: true) }
            }
    }

    func render(_ parts: LiveParts, _ token: FormToken) -> HTML {
        element("section", .class("card"), .id("commands")) {
            element("h2", text: texts[.commands])
            if forms.isEmpty { element("p", .class("muted"), text: texts[.none]) }
            forms.filter { $0.isQuick && !$0.fields.isEmpty }.map { adjustable($0, parts, token) }
            parts("quick")
            element("div") { forms.filter { !$0.isQuick }.map { details($0, token) } }
        }
    }

    private static func part(of command: CommandName) -> String { "act-\(command.rawValue)" }

    // MARK: Buttons

    private var quick: HTML {
        let fitting = Set(model.state.content?.summary.fitting.map(\.name) ?? [])
        let commands = forms.filter {
            $0.fields.isEmpty && !fitting.contains($0.specification.name)
        }
        .map(\.specification)
        let reasons = forms.filter(\.isQuick).compactMap { reason($0.specification) }
        return .joined([
            element("div", .class("row")) { commands.map { button($0, isInForm: false) } },
            reasons.isEmpty
                ? .empty
                : element("ul", .class("muted small hints")) {
                    reasons.map { element("li", .id($0.id), text: $0.text) }
                },
        ])
    }

    func button(_ command: CommandSpecification, isInForm: Bool) -> HTML {
        let style = model.likeliest == command.name ? "main" : ""
        var attributes: [HTMLAttribute] = [.id("do-\(command.name.rawValue)"), .class(style)]
        if !isInForm {
            attributes += [
                .init("form", ActionButton.form),
                .init("formaction", path(command.name, "commands")),
            ]
        }
        if let reason = reason(command) {
            attributes += [.init("aria-describedby", reason.id), .init("title", reason.text)]
        }
        return element("button", attributes) { texts.terms.command(command.name) }
    }

    /// Why a command would do nothing now.
    private func reason(_ command: CommandSpecification) -> (id: String, text: String)? {
        guard let hindrance = model.hindrance(of: command) else { return nil }
        let why =
            switch hindrance {
            case .docked: texts[.isDocked]
            case .returning: texts[.isReturning]
            case .nothingPaused: texts[.nothingPaused]
            case .nothingRuns: texts[.nothingRuns]
            case .fault(let code): texts.faults.sentence(code)
            }
        let name = texts.terms.command(command.name)
        return (
            "why-\(command.name.rawValue)",
            texts.choose(english: "\(name): \(why)", chinese: "\(name)：\(why)")
        )
    }

    // MARK: Forms

    /// A command that can be sent as it is, or with arguments that are folded.
    private func adjustable(
        _ form: CommandForm, _ parts: LiveParts, _ token: FormToken
    ) -> HTML {
        let name = form.specification.name
        let id = "form-\(name.rawValue)"
        let fields = form.fields.map { texts.terms.member($0.name) }.joined(separator: ", ")
        return token.form(path(name, "commands"), .class("stack tight")) {
            parts(Self.part(of: name))
            element("details", .class("fold"), .id(id), .init("open", opened == name)) {
                element("summary") {
                    element("span", text: fields)
                    element("span", .class("muted"), text: " (\(texts[.optional]))")
                }
                element("div", .class("inside")) { self.fields(form, id) }
            }
        }
    }

    private func details(_ form: CommandForm, _ token: FormToken) -> HTML {
        let name = form.specification.name
        let id = "form-\(name.rawValue)"
        return element("details", .class("fold"), .id(id), .init("open", opened == name)) {
            element("summary") {
                element("span", text: texts.terms.command(name))
                " "
                element("span", .class("muted"), text: "…")
            }
            token.form(path(name, id), .class("inside stack")) {
                fields(form, id)
                element("div") { element("button", .class("main"), text: texts[.send]) }
            }
        }
    }

    private func fields(_ form: CommandForm, _ id: String) -> HTML {
        CommandFields(
            texts: texts, form: form, scope: id, names: texts.roomNames(model.plan?.rooms)
        ).render()
    }

    /// Where a command is sent; a browser without a script comes back to this place of the page.
    private func path(_ name: CommandName, _ place: String) -> String {
        "\(Route.device(model.id).path)/commands/\(name.rawValue)#\(place)"
    }
}
