internal import DeviceControl
internal import DeviceDomain
internal import Markup
internal import SharedPresentation
internal import SimulationPresentation

/// The faults of a simulated device: those that it has, and a form for each that it can have.
@MainActor
struct SimulationSection {
    /// Fields have this before their names, so that no parameter is taken for another field.
    static let prefix = "fault-"

    private let model: SimulationViewModel
    private let texts: Texts
    /// A fault that did not happen; its form is open.
    private let refused: FaultName?

    /// - Returns: `nil` for a device that no fleet of this machine simulates.
    init?(model: SimulationViewModel, texts: Texts, refused: FaultName?) {
        switch model.state {
        case .content, .failed: break
        case .loading, .empty: return nil
        }
        self.model = model
        self.texts = texts
        self.refused = refused
    }

    /// The forms, which the shape of the page depends on.
    var forms: [PossibleFault] { model.forms.map(\.fault) }

    func live() -> [LivePart] { [LivePart("faults") { present }] }

    func render(_ parts: LiveParts, _ token: FormToken) -> HTML {
        element("section", .class("card stack"), .id("simulation")) {
            element("h2", text: texts[.simulation])
            element("p", .class("muted small"), text: texts[.simulationText])
            parts("faults")
            element(
                "details", .class("fold"), .id("faults-possible"), .init("open", refused != nil)
            ) {
                element("summary", text: texts[.letFaultHappen])
                element("div", .class("inside")) { model.forms.map { details($0, token) } }
            }
        }
    }

    // MARK: Faults that it has

    private var present: HTML {
        switch model.state {
        case .failed(let failure): Notice(failure, texts).html
        case .content(let status) where status.faults.isEmpty:
            element("p", .class("muted"), text: texts[.noFault])
        case .content(let status):
            element("ul", .class("stack tight"), .label(texts[.faultsNow])) {
                status.faults.map(fault)
            }
        case .loading, .empty: .empty
        }
    }

    private func fault(_ fault: PresentFault) -> HTML {
        let name = texts.name(fault.name)
        return element("li", .class("row spread")) {
            element("span") {
                Badge(tone: .warn, text: name).html
                " "
                element("span", .class("muted small"), text: particulars(fault))
            }
            ActionButton(
                text: texts[.endFault], path: "\(path(fault.name))/end#simulation",
                label: "\(texts[.endFault]): \(name)"
            ).html
        }
    }

    private func particulars(_ fault: PresentFault) -> String {
        let parameters = model.state.content?.possible.first { $0.name == fault.name }?.parameters
        let settings = fault.settings.sorted { $0.key < $1.key }.map { name, value in
            let unit = parameters?.first { $0.name == name }?.unit ?? ""
            return "\(texts.parameter(name)): \(texts.format.number(value, decimals: 3)) \(unit)"
        }
        let end = fault.until.map { "\(texts[.until]) \(moment($0))" }
        return (settings + [end ?? texts[.untilEnded]]).joined(separator: " · ")
    }

    /// A time of the world clock, with its seconds where it is today.
    private func moment(_ moment: Timestamp) -> String {
        let (format, now) = (texts.format, MachineClock.wallTime)
        return format.date(moment) == format.date(now)
            ? format.timeWithSeconds(moment) : format.dateAndTime(moment, now: now)
    }

    // MARK: Faults that it can be given

    private func details(_ form: FaultForm, _ token: FormToken) -> HTML {
        let name = form.fault.name
        let id = "fault-\(name.rawValue)"
        return element("details", .class("fold"), .id(id), .init("open", refused == name)) {
            element("summary") { element("span", text: texts.name(name)) }
            token.form("\(path(name))#simulation", .class("inside stack")) {
                element("p", .class("muted"), text: texts.effect(form.fault))
                if !form.fields.isEmpty {
                    element("div", .class("fields")) { form.fields.map { field($0, id) } }
                }
                element("div") { element("button", .class("main"), text: texts[.inject]) }
            }
        }
    }

    private func field(_ field: FaultField, _ scope: String) -> HTML {
        let id = "\(scope)-\(field.name)"
        let wrong = field.isWrong ? " \(id)-wrong" : ""
        return element("div", .class("field")) {
            element("label", .init("for", id)) {
                texts.parameter(field.name)
                element("span", .class("muted"), text: " (\(texts[.optional]))")
            }
            element("div", .class("unit")) {
                HTML.void(
                    "input",
                    [
                        .id(id), .init("name", Self.prefix + field.name), .init("type", "number"),
                        .init("step", "any"), .init("min", "\(field.range.lowerBound)"),
                        .init("max", "\(field.range.upperBound)"),
                        .init("value", field.text), .init("aria-describedby", "\(id)-hint\(wrong)"),
                    ] + (field.isWrong ? [.init("aria-invalid", "true")] : []))
                element("span", text: field.unit)
            }
            element("span", .class("hint"), .id("\(id)-hint"), text: hint(field))
            if field.isWrong {
                element("span", .class("wrong"), .id("\(id)-wrong"), text: range(field))
            }
        }
    }

    private func hint(_ field: FaultField) -> String {
        guard let usual = field.usual else { return texts[.durationHint] }
        let number = texts.format.number(usual)
        let empty = texts.choose(
            english: "Empty: \(number) \(field.unit)", chinese: "留空则为 \(number) \(field.unit)")
        return "\(range(field)). \(empty)"
    }

    private func range(_ field: FaultField) -> String {
        let (low, high) = (field.range.lowerBound, field.range.upperBound)
        return
            "\(texts.format.number(low, decimals: 3)) – \(texts.format.number(high)) \(field.unit)"
    }

    private func path(_ fault: FaultName) -> String {
        "\(Route.device(model.device).path)/faults/\(fault.rawValue)"
    }
}
