internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// The floor of a robot with where it is and what it has cleaned, and beside it the buttons that fit its state and
/// the rooms that it can be told to clean. Rooms are chosen in the list or on the drawing.
@MainActor
struct PlanSection {
    /// How many times the drawing can be enlarged.
    private static let zooms = [1, 2, 4]
    /// The argument of a command that names rooms.
    private nonisolated static let rooms = "rooms"

    let model: DeviceViewModel
    let texts: Texts
    /// A command that was not sent, with what is wrong beside its fields.
    let opened: CommandName?

    private var name: String { model.state.content?.summary.name ?? model.id.text }
    private var rooms: RoomPlan? { model.plan?.rooms }
    private var cleaning: CommandForm? { model.form(.startCleaning) }

    /// What the section depends on beyond its live parts.
    var shape: String { "\(cleaning?.specification.hashValue ?? 0) \(rooms.hashValue)" }

    func live() -> [LivePart] {
        [
            LivePart("plan") { way }, LivePart("place") { place }, LivePart("steps") { steps },
            LivePart("act-start-cleaning") { button },
        ]
    }

    func render(_ parts: LiveParts, _ form: FormToken) -> HTML {
        element("div", .class("columns"), .id("floor")) {
            element("section", .class("card stack map-card"), .label(texts[.floorPlan])) {
                element(
                    "div", .class("map"), .init("tabindex", "0"), .init("role", "region"),
                    .label(texts[.floorPlan])
                ) {
                    element("div", .class("layers")) {
                        drawing.rooms()
                        parts("plan")
                    }
                }
                element("div", .class("row spread")) {
                    parts("place", "p", .class("muted small"))
                    zoom
                }
            }
            element("section", .class("card stack"), .label(texts[.commands])) {
                parts("steps")
                orders(parts, form)
            }
        }
    }

    // MARK: The drawing

    private var drawing: FloorDrawing {
        FloorDrawing(
            title: "\(texts[.trail]): \(name)", trail: model.plan?.trail ?? [], plan: rooms,
            cleaned: model.plan?.cleaned ?? [], headingDegrees: model.plan?.headingDegrees)
    }

    private var way: HTML { rooms == nil && model.plan?.place == nil ? .empty : drawing.way() }

    private var place: HTML {
        let here = model.plan?.place.map { place in
            let (x, y) = (texts.format.number(place.x), texts.format.number(place.y))
            return "\(texts[.robotHere]): \(x) m, \(y) m."
        }
        let sentences = [here ?? texts[.noSamples], rooms == nil ? texts[.noPlanText] : nil]
        return HTML(sentences.compactMap(\.self).joined(separator: " "))
    }

    /// Radio buttons that the style sheet hears, so that no script is needed.
    private var zoom: HTML {
        element("fieldset", .class("choices zoom")) {
            element("legend", .class("unseen"), text: texts[.zoom])
            Self.zooms.map { factor in
                element("label", .class("choice")) {
                    void(
                        "input", .init("type", "radio"), .init("name", "zoom"),
                        .id("zoom-\(factor)"), .init("checked", factor == 1))
                    element("span", text: "\(factor)×")
                }
            }
        }
    }

    // MARK: Orders

    /// What fits the state, without the command that has a form of its own here.
    private var steps: HTML {
        guard let device = model.state.content?.summary else { return .empty }
        let buttons = FittingButtons(texts: texts, from: .device(model.id))
        let commands = device.fitting.filter { $0.name != cleaning?.specification.name }
        guard !commands.isEmpty else { return .empty }
        return element("div", .class("row actions")) {
            commands.map { command in
                buttons.button(command, of: device, model.likeliest == command.name ? "main" : "")
            }
        }
    }

    private func orders(_ parts: LiveParts, _ form: FormToken) -> HTML {
        guard let cleaning else { return element("p", .class("muted"), text: texts[.none]) }
        let path = "\(Route.device(model.id).path)/commands/\(cleaning.specification.name.rawValue)"
        func fields(areRooms: Bool) -> HTML {
            CommandFields(
                texts: texts, form: cleaning, scope: "plan", names: texts.roomNames(rooms),
                saysProblem: areRooms, isShown: { ($0.name == Self.rooms) == areRooms }
            ).render()
        }
        let others = cleaning.fields.filter { $0.name != Self.rooms }
        return form.form("\(path)#floor", .class("stack tight")) {
            fields(areRooms: true)
            if !others.isEmpty {
                element(
                    "details", .class("fold"), .id("plan-more"),
                    .init("open", others.contains { $0.problem != nil || $0.isRequired })
                ) {
                    element(
                        "summary",
                        text: others.map { texts.terms.member($0.name) }.joined(separator: ", "))
                    element("div", .class("inside")) { fields(areRooms: false) }
                }
            }
            parts("act-start-cleaning")
        }
    }

    private var button: HTML? {
        cleaning.map { form in
            DeviceControls(model: model, texts: texts, opened: opened)
                .button(form.specification, isInForm: true)
        }
    }
}
