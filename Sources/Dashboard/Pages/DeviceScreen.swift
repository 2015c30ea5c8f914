internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import DeviceMessages
internal import SharedPresentation
internal import SimulationPresentation

/// One device: its state, what it measured, what it can be told and what it was told.
@MainActor
struct DeviceScreen: Screen {
    let model: DeviceViewModel
    /// The faults that it can be given; `nil` in an app without that part.
    let simulation: SimulationViewModel?
    let texts: Texts
    /// A command that was not sent; its form is open.
    var refused: CommandName?
    /// A fault that did not happen; its form is open.
    var refusedFault: FaultName?

    private var words: DeviceWords { DeviceWords(texts: texts) }

    var title: String { model.state.content?.summary.name ?? model.id.text }

    func live() -> LiveContent {
        guard let device = model.state.content else {
            return LiveContent(parts: [LivePart("standing") { standing }], shape: "standing")
        }
        let charts = DeviceCharts(
            signals: device.measured, sampledAt: device.sampledAt, texts: texts)
        let parts = [
            LivePart("facts") { words.facts(device.summary) },
            LivePart("values") { values(device) },
            LivePart("sent") { sent(device.commands) },
            LivePart("charts") { charts.render() },
        ]
        // Other commands and faults need other forms.
        let commands = model.forms.map(\.specification).hashValue
        let faults = simulated?.forms.hashValue ?? 0
        return LiveContent(
            parts: parts + (simulated?.live() ?? []),
            shape: "\(device.summary.name) \(commands) \(faults)")
    }

    private var simulated: SimulationSection? {
        simulation.flatMap { SimulationSection(model: $0, texts: texts, refused: refusedFault) }
    }

    private var standing: HTML? {
        let empty = element("p", .class("muted"), text: texts[.notFoundText])
        return Placeholder(texts: texts, empty: empty).html(model.state)
    }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
        guard let device = model.state.content else {
            return .joined([element("h1", text: title), parts("standing")])
        }
        return .joined([
            heading(device, parts),
            element("div", .class("columns")) {
                element("div", .class("stack")) {
                    parts("values", "section", .class("card"), .label(texts[.state]))
                    parts("sent", "section", .class("card"), .label(texts[.history]))
                }
                DeviceControls(model: model, texts: texts, refused: refused).render(form)
            },
            parts("charts", "section", .class("stack"), .label(texts[.measured])),
            simulated?.render(parts, form) ?? .empty,
            forgetting(form),
        ])
    }

    // MARK: What it is

    private func heading(_ device: DeviceContent, _ parts: LiveParts) -> HTML {
        element("div", .class("title")) {
            element("span", .class("kind")) { DeviceWords.icon(device.summary.kind).svg }
            element("div") {
                element("h1", text: device.summary.name)
                element("p", .class("muted small"), text: origin(device))
            }
            parts("facts", "div", .class("facts"), .init("aria-live", "polite"))
        }
    }

    private func origin(_ device: DeviceContent) -> String {
        let parts = [
            device.summary.id.text, device.summary.model?.rawValue,
            device.firmware.map { "\(texts[.firmware]) \($0)" },
            "\(texts[.channel]) \(device.channel)",
        ]
        return parts.compactMap(\.self).joined(separator: " · ")
    }

    private func values(_ device: DeviceContent) -> HTML {
        let state = device.stateValues
        let stated = Set(state.map(\.name))
        let sample = device.measured.compactMap { signal in
            stated.contains(signal.name) ? nil : signal.value.map { (signal.name, $0) }
        }
        return .joined([
            element("h2", text: texts[.state]),
            state.isEmpty
                ? element("p", .class("muted"), text: texts[.unknown])
                : list(state.map { ($0.name, $0.value) }),
            sample.isEmpty
                ? .empty : .joined([element("h2", text: texts[.measured]), list(sample)]),
            age(device).map { element("p", .class("muted small"), text: $0) } ?? .empty,
        ])
    }

    private func list(_ members: [(name: String, value: JSONValue)]) -> HTML {
        element("dl", .class("values")) {
            members.map { name, value in
                element("div") {
                    element("dt", text: texts.terms.member(name))
                    element("dd", text: words.value(value, of: name))
                }
            }
        }
    }

    /// How old the values are; live ones say by themselves that they are new.
    private func age(_ device: DeviceContent) -> String? {
        switch (device.freshness, device.summary.presence) {
        case (.remembered(let since), _): words.remembered(since: since)
        case (.live, .online): nil
        case (.live(let since), _), (.stale(let since), _):
            texts.format.age(of: since, now: MachineClock.wallTime)
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
                        ActionButton(text: texts[.undo], path: "\(path)/undo").html
                        ActionButton(text: texts[.redo], path: "\(path)/redo").html
                    }
                }
            },
            commands.isEmpty
                ? element("p", .class("muted"), text: texts[.noCommands])
                : CommandList(texts: texts, now: MachineClock.wallTime).render(
                    Array(commands.prefix(8))),
        ])
    }

    // MARK: Its end

    /// Asks before anything is forgotten, also without a script.
    private func forgetting(_ form: FormSeal) -> HTML {
        element("section", .class("card"), .label(texts[.forget])) {
            element("details", .class("fold"), .id("forget")) {
                element("summary") { element("span", text: texts[.forget]) }
                form.form("\(Route.device(model.id).path)/forget", .class("inside stack")) {
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
    fileprivate var measured: [Signal] {
        for case .measured(let signals) in sections { return signals }
        return []
    }
}
