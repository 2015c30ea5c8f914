internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// The floor of a robot: where it has been, and what it is to clean.
@MainActor
struct PlanScreen: Screen {
    let model: DeviceViewModel
    let texts: Texts

    var title: String { "\(name) · \(texts[.floorPlan])" }

    private var name: String { model.state.content?.summary.name ?? model.id.text }

    func live() -> LiveContent {
        guard let device = model.state.content else {
            return LiveContent(parts: [LivePart("standing") { standing }], shape: "standing")
        }
        return LiveContent(
            parts: [
                LivePart("plan") { way },
                LivePart("place") { place },
                LivePart("facts") { DeviceText(texts: texts).facts(device.summary) },
            ], shape: "\(cleaning?.specification.hashValue ?? 0) \(rooms.hashValue)")
    }

    private var standing: HTML? {
        let empty = element("p", .class("muted"), text: texts[.notFoundText])
        return Placeholder(texts: texts, empty: empty).html(model.state)
    }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("div", .class("title")) {
                element("span", .class("kind")) { Icon.floorPlan.svg }
                element("div") {
                    element("h1", text: texts[.floorPlan])
                    element("p", .class("small")) {
                        element("a", .href(Route.device(model.id).path), .name, text: name)
                    }
                }
                parts("facts", "div", .class("facts"), .init("aria-live", "polite"))
            },
            parts("standing"),
            model.state.content == nil
                ? .empty
                : element("div", .class("columns")) {
                    element("section", .class("card stack"), .label(texts[.trail])) {
                        element("div", .class("layers")) {
                            drawing.rooms()
                            parts("plan")
                        }
                        parts("place", "p", .class("muted small"))
                    }
                    orders(form)
                },
        ])
    }

    private var rooms: RoomPlan? { model.plan?.rooms }

    private var drawing: FloorDrawing {
        FloorDrawing(
            title: "\(texts[.trail]): \(name)", trail: model.plan?.trail ?? [], plan: rooms)
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

    // MARK: Orders

    private var cleaning: CommandForm? { model.form(.startCleaning) }

    private func orders(_ form: FormToken) -> HTML {
        element("section", .class("card")) {
            element("h2", text: texts[.rooms])
            if let cleaning {
                let name = cleaning.specification.name
                form.form("\(Route.plan(model.id).path)/\(name.rawValue)", .class("stack")) {
                    CommandFields(
                        texts: texts, form: cleaning, scope: "plan", names: texts.roomNames(rooms)
                    ).render()
                    element("div") {
                        element("button", .class("main"), text: texts.terms.command(name))
                    }
                }
            } else {
                element("p", .class("muted"), text: texts[.none])
            }
        }
    }
}
