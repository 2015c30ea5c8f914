internal import Connectivity
internal import DeviceDomain
internal import HomeModel

/// The floor of a robot: where it has been, and what it is to clean.
@MainActor
struct PlanScreen: Screen {
    let device: DeviceState
    let texts: Texts
    var refused: CommandEntry?

    private var words: DeviceWords { DeviceWords(texts: texts) }

    var title: String { "\(device.name) · \(texts[.floorPlan])" }

    func live() -> LiveContent {
        LiveContent(
            parts: [
                LivePart("plan") { plan },
                LivePart("facts") {
                    words.presence(device.known.connection)
                    words.activity(device.known)
                    words.charge(device.known)
                },
            ], shape: "\(cleaning.hashValue)")
    }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
        .joined([
            element("div", .class("title")) {
                element("span", .class("kind")) { Icon.floorPlan.svg }
                element("div") {
                    element("h1", text: texts[.floorPlan])
                    element("p", .class("small")) {
                        element("a", .href(Route.device(device.id).path), text: device.name)
                    }
                }
                parts("facts", "div", .class("facts"), .init("aria-live", "polite"))
            },
            element("div", .class("columns")) {
                parts("plan", "section", .class("card"), .label(texts[.trail]))
                orders(form)
            },
        ])
    }

    private var plan: HTML {
        guard !device.trail.isEmpty else {
            return element("p", .class("muted"), text: texts[.noSamples])
        }
        return .joined([
            FloorDrawing(
                title: "\(texts[.trail]): \(device.name)", trail: device.trail
            ).svg(),
            element("p", .class("muted small")) {
                place
                texts[.noPlanText]
            },
        ])
    }

    private var place: String {
        guard let here = device.trail.last else { return "" }
        let (x, y) = (texts.format.number(here.x), texts.format.number(here.y))
        return "\(texts[.robotHere]): \(x) m, \(y) m. "
    }

    // MARK: Orders

    private var cleaning: CommandSpecification? {
        device.known.profile?.specification(of: .startCleaning)
    }

    private func orders(_ form: FormSeal) -> HTML {
        element("section", .class("card")) {
            element("h2", text: texts[.rooms])
            if let cleaning {
                let command = CommandForm(cleaning)
                form.form(
                    "\(Route.plan(device.id).path)/\(cleaning.name.rawValue)", .class("stack")
                ) {
                    CommandFields(
                        texts: texts, form: command, entry: refused ?? CommandEntry(), scope: "plan"
                    ).render()
                    element("div") {
                        element(
                            "button", .class("main"), text: texts.terms.command(cleaning.name))
                    }
                }
            } else {
                element("p", .class("muted"), text: texts[.none])
            }
        }
    }
}
