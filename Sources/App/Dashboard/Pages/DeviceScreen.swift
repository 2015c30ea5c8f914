internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import DeviceMessages
internal import Markup
internal import SharedPresentation
internal import SimulationPresentation

/// One device: its state, what it measured, what it can be told and what it was told.
@MainActor
struct DeviceScreen: Screen {
    let model: DeviceViewModel
    /// The faults that it can be given; `nil` in an app without that part.
    let simulation: SimulationViewModel?
    let texts: Texts
    /// A command whose form is open: one that was not sent, or that a link leads to.
    var opened: CommandName?
    /// A fault that did not happen; its form is open.
    var refusedFault: FaultName?

    private var deviceText: DeviceText { DeviceText(texts: texts) }

    var title: String { model.state.content?.summary.name ?? model.id.text }

    func live() -> LiveContent {
        guard let device = model.state.content else {
            return LiveContent(parts: [LivePart("standing") { standing }], shape: "standing")
        }
        let charts = DeviceCharts(
            signals: device.measured, sampledAt: device.sampledAt, texts: texts,
            isAged: device.summary.heardLast != nil)
        let parts = [
            LivePart("facts") { deviceText.facts(device.summary) },
            LivePart("values") { values(device) },
            LivePart("sent") { sent(device.commands) },
            LivePart("charts") { charts.render() },
        ]
        let controls = DeviceControls(model: model, texts: texts, opened: opened).live()
        let top = floor?.live() ?? [LivePart("steps") { fitting(device.summary) }]
        // Other commands and faults need other forms.
        let commands = model.forms.map(\.specification).hashValue
        let faults = simulated?.forms.hashValue ?? 0
        return LiveContent(
            parts: parts + top + controls + (simulated?.live() ?? []),
            shape:
                "\(device.summary.name) \(device.summary.room ?? "") \(model.rooms) \(commands) \(faults) \(floor?.shape ?? "")"
        )
    }

    func readAgain() async { await simulation?.readAgain() }

    private var simulated: SimulationSection? {
        simulation.flatMap { SimulationSection(model: $0, texts: texts, refused: refusedFault) }
    }

    /// The plan of a robot; `nil` for a device that does not move over a floor.
    private var floor: PlanSection? {
        model.plan.map { _ in PlanSection(model: model, texts: texts, opened: opened) }
    }

    private func fitting(_ device: DeviceSummary) -> HTML {
        FittingButtons(texts: texts, from: .device(device.id)).render(device)
    }

    private var standing: HTML? {
        let empty = element("p", .class("muted"), text: texts[.notFoundText])
        return Placeholder(texts: texts, empty: empty).html(model.state)
    }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        guard let device = model.state.content else {
            return .joined([element("h1", text: title), parts("standing")])
        }
        return .joined([
            heading(device, parts),
            floor?.render(parts, form) ?? parts("steps"),
            element("div", .class("columns device-page")) {
                parts("values", "section", .class("card"), .label(texts[.state]))
                DeviceControls(model: model, texts: texts, opened: opened).render(parts, form)
                parts("sent", "section", .class("card"), .label(texts[.history]))
            },
            parts("charts", "section", .class("stack"), .label(texts[.measured])),
            simulated?.render(parts, form) ?? .empty,
            DeviceLabelForm(model: model, texts: texts).render(form),
            forgetting(form),
        ])
    }

    // MARK: What it is

    private func heading(_ device: DeviceContent, _ parts: LiveParts) -> HTML {
        element("div", .class("title")) {
            element("span", .class("kind")) { DeviceText.icon(device.summary.kind).svg }
            element("div") {
                element("h1", .name, text: device.summary.name)
                element("p", .class("muted small")) { origin(device) }
            }
            parts("facts", "div", .class("facts"), .init("aria-live", "polite"))
        }
    }

    private func origin(_ device: DeviceContent) -> HTML {
        func name(_ text: String) -> HTML { element("span", .name, text: text) }
        let parts = [
            device.summary.room.map(name), name(device.summary.id.text),
            device.summary.model.map { name($0.rawValue) },
            device.firmware.map { .joined([HTML("\(texts[.firmware]) "), name($0)]) },
            .joined([HTML("\(texts[.channel]) "), name("\(device.channel)")]),
        ].compactMap(\.self)
        return .joined(parts.enumerated().map { $0 == 0 ? $1 : .joined([HTML(" · "), $1]) })
    }

    private func values(_ device: DeviceContent) -> HTML {
        let state = device.stateValues
        let stated = Set(state.map(\.name))
        // The plan and the line below it say where a robot is.
        let onPlan = model.plan == nil ? [] : Set([Signal.x, .y, .headingDeg].map(\.rawValue))
        let sample = device.measured.compactMap { signal in
            stated.contains(signal.name) || onPlan.contains(signal.name)
                ? nil : signal.value.map { (signal.name, $0) }
        }
        let age = deviceText.age(device.summary)
        return .joined([
            element("div", .class("row spread")) {
                element("h2", text: texts[.state])
                age.map { element("span", .class("muted small"), text: $0) }
            },
            element("div", .class(age == nil ? "stack" : "stack aged")) {
                state.isEmpty
                    ? element("p", .class("muted"), text: texts[.unknown])
                    : list(state.map { ($0.name, $0.value) })
                sample.isEmpty
                    ? .empty : .joined([element("h2", text: texts[.measured]), list(sample)])
            },
        ])
    }

    private func list(_ members: [(name: String, value: JSONValue)]) -> HTML {
        element("dl", .class("values")) {
            members.map { name, value in
                element("div") {
                    element("dt", text: texts.terms.member(name))
                    element("dd", text: deviceText.value(value, of: name))
                }
            }
        }
    }

    // MARK: What it was told

    private func sent(_ commands: [CommandSummary]) -> HTML {
        let path = Route.device(model.id).path
        return .joined([
            element("div", .class("row spread")) {
                element("h2", text: texts[.history])
                if !commands.isEmpty {
                    element("div", .class("row")) {
                        element(
                            "a", .class("button little"),
                            .href("\(Route.history.path)?device=\(model.id)"),
                            text: texts[.wholeHistory])
                        element(
                            "a", .class("button little"),
                            .href("\(Route.events.path)?device=\(model.id)"), text: texts[.eventLog]
                        )
                        ActionButton(text: texts[.undo], path: "\(path)/undo#sent").html
                        ActionButton(text: texts[.redo], path: "\(path)/redo#sent").html
                    }
                }
            },
            commands.isEmpty
                ? element("p", .class("muted"), text: texts[.noCommands]) : history(commands),
        ])
    }

    /// The newest commands; the others are folded.
    private func history(_ commands: [CommandSummary]) -> HTML {
        let list = CommandList(
            texts: texts, now: MachineClock.wallTime, page: .device(model.id))
        let (newest, earlier) = (commands.prefix(3), commands.dropFirst(3).prefix(9))
        return .joined([
            list.render(Array(newest)),
            earlier.isEmpty
                ? .empty
                : element("details", .class("fold"), .id("earlier")) {
                    element("summary", text: "\(texts[.earlier]): \(earlier.count)")
                    element("div", .class("inside")) { list.render(Array(earlier)) }
                },
        ])
    }

    // MARK: Its end

    /// Asks before anything is forgotten, also without a script.
    private func forgetting(_ form: FormToken) -> HTML {
        element("section", .class("card"), .label(texts[.forget])) {
            element("details", .class("fold"), .id("forget")) {
                element("summary") { element("span", text: texts[.forget]) }
                form.form("\(Route.device(model.id).path)/forget#forget", .class("inside stack")) {
                    element("p", text: texts[.forgetText])
                    element("div") {
                        element("button", .class("danger"), text: texts[.forgetConfirm])
                    }
                }
            }
        }
    }
}

extension DeviceContent {
    /// What it says of its state; empty if it has said nothing.
    fileprivate var stateValues: [NamedValue] {
        for case .state(let values) in sections { return values }
        return []
    }

    /// What it measures; empty if it has sent no sample.
    fileprivate var measured: [MeasuredSignal] {
        for case .measured(let signals) in sections { return signals }
        return []
    }
}
