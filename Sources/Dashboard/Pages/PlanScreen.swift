internal import DeviceControlPresentation
internal import DeviceDomain
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
                LivePart("plan") { plan },
                LivePart("facts") { DeviceWords(texts: texts).facts(device.summary) },
            ], shape: "\(cleaning?.specification.hashValue ?? 0)")
    }

    private var standing: HTML? {
        let empty = element("p", .class("muted"), text: texts[.notFoundText])
        return Placeholder(texts: texts, empty: empty).html(model.state)
    }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
        .joined([
            element("div", .class("title")) {
                element("span", .class("kind")) { Icon.floorPlan.svg }
                element("div") {
                    element("h1", text: texts[.floorPlan])
                    element("p", .class("small")) {
                        element("a", .href(Route.device(model.id).path), text: name)
                    }
                }
                parts("facts", "div", .class("facts"), .init("aria-live", "polite"))
            },
            parts("standing"),
            model.state.content == nil
                ? .empty
                : element("div", .class("columns")) {
                    parts("plan", "section", .class("card"), .label(texts[.trail]))
                    orders(form)
                },
        ])
    }

    private var plan: HTML {
        guard let plan = model.plan, let here = plan.place else {
            return element("p", .class("muted"), text: texts[.noSamples])
        }
        let (x, y) = (texts.format.number(here.x), texts.format.number(here.y))
        return .joined([
            FloorDrawing(title: "\(texts[.trail]): \(name)", trail: plan.trail).svg(),
            element("p", .class("muted small")) {
                "\(texts[.robotHere]): \(x) m, \(y) m. "
                texts[.noPlanText]
            },
        ])
    }

    // MARK: Orders

    private var cleaning: CommandForm? { model.form(.startCleaning) }

    private func orders(_ form: FormSeal) -> HTML {
        element("section", .class("card")) {
            element("h2", text: texts[.rooms])
            if let cleaning {
                let name = cleaning.specification.name
                form.form("\(Route.plan(model.id).path)/\(name.rawValue)", .class("stack")) {
                    CommandFields(texts: texts, form: cleaning, scope: "plan").render()
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
