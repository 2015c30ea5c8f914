internal import Connectivity
internal import DeviceControl
internal import DeviceDomain
internal import HomeModel
internal import Homeport

/// One device: its state, what it measured, what it can be told and what it was told.
@MainActor
struct DeviceScreen: Screen {
    let device: DeviceState
    let texts: Texts
    /// A command form that was sent and refused, and why.
    var refused: (name: CommandName, entry: CommandEntry)?

    private var words: DeviceWords { DeviceWords(texts: texts) }
    private var profile: DeviceProfile? { device.known.profile }

    var title: String { device.name }

    func live() -> LiveContent {
        let parts = [
            LivePart("facts") { facts },
            LivePart("values") { values },
            LivePart("sent") { sent },
            LivePart("charts") { DeviceCharts(device: device, texts: texts).render() },
        ]
        // Other commands need other forms.
        let shape = "\(title) \(profile.map { "\($0.commands.hashValue)" } ?? "")"
        return LiveContent(parts: parts, shape: shape)
    }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
        .joined([
            heading(parts),
            element("div", .class("columns")) {
                element("div", .class("stack")) {
                    parts("values", "section", .class("card"), .label(texts[.state]))
                    parts("sent", "section", .class("card"), .label(texts[.history]))
                }
                controls(form)
            },
            parts("charts", "section", .class("stack"), .label(texts[.measured])),
        ])
    }

    // MARK: What it is

    private func heading(_ parts: LiveParts) -> HTML {
        element("div", .class("title")) {
            element("span", .class("kind")) { DeviceWords.icon(profile?.kind).svg }
            element("div") {
                element("h1", text: device.name)
                element("p", .class("muted small"), text: origin)
            }
            parts("facts", "div", .class("facts"), .init("aria-live", "polite"))
        }
    }

    private var origin: String {
        let parts = [
            device.id.text, profile?.model.rawValue ?? "",
            profile.map { $0.firmware.isEmpty ? "" : "\(texts[.firmware]) \($0.firmware)" } ?? "",
            "\(texts[.channel]) \(device.known.channel)",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private var facts: HTML {
        .joined([
            words.presence(device.known.connection), words.activity(device.known) ?? .empty,
            words.charge(device.known) ?? .empty,
        ])
    }

    private var values: HTML {
        let state = device.known.state?.members ?? [:]
        let sample = (device.known.telemetry?.values ?? [:]).filter { state[$0.key] == nil }
        return .joined([
            element("h2", text: texts[.state]),
            state.isEmpty
                ? element("p", .class("muted"), text: texts[.unknown]) : list(state),
            sample.isEmpty
                ? .empty
                : .joined([
                    element("h2", text: texts[.measured]), list(sample),
                ]),
            heardAt,
        ])
    }

    private func list(_ members: JSONObject) -> HTML {
        element("dl", .class("values")) {
            members.sorted { $0.key < $1.key }.map { name, value in
                element("div") {
                    element("dt", text: texts.terms.member(name))
                    element("dd", text: words.value(value, of: name))
                }
            }
        }
    }

    private var heardAt: HTML {
        guard let moment = device.known.heardAt else {
            return element("p", .class("muted small"), text: texts[.remembered])
        }
        // Live values say by themselves that they are new.
        guard case .online = device.known.connection else {
            let age = texts.format.age(of: moment, now: MachineClock.wallTime)
            return element("p", .class("muted small"), text: age)
        }
        return .empty
    }

    // MARK: What it can be told

    private func controls(_ form: FormSeal) -> HTML {
        let commands = (profile?.commands ?? [])
            .filter { !Self.hidden.contains($0.name.rawValue) }
            .sorted { Self.rank($0) < Self.rank($1) }
        let simple = commands.filter { CommandForm($0).fields.allSatisfy { !$0.isRequired } }
        return element("section", .class("card"), .id("commands")) {
            element("h2", text: texts[.commands])
            if commands.isEmpty { element("p", .class("muted"), text: texts[.none]) }
            element("div", .class("row")) {
                simple.map { quick($0, form) }
            }
            element("div") {
                commands.filter { !CommandForm($0).fields.isEmpty }.map { details($0, form) }
            }
            if profile?.capabilities.contains(.movable) == true {
                element("p") {
                    element(
                        "a", .class("button"), .href(Route.plan(device.id).path)
                    ) {
                        Icon.floorPlan.svg
                        element("span", text: texts[.plan])
                    }
                }
            }
        }
    }

    /// Commands by which controllers ask about other commands; the page offers what they do by itself.
    private static let hidden: Set<String> = ["query-commands", "cancel-command"]

    /// What a person wants most comes first: actions, then what acts on them, then the rest.
    private static func rank(_ command: CommandSpecification) -> (Int, String) {
        let isIdentify = command.name.rawValue == "identify"
        let sort =
            switch command.sort {
            case .action: 0
            case .instant: isIdentify ? 3 : 1
            case .setting: 2
            }
        return (sort, command.name.rawValue)
    }

    private func quick(_ specification: CommandSpecification, _ form: FormSeal) -> HTML {
        form.form(path(specification.name), .class("inline")) {
            element(
                "button", .class(specification.sort == .action ? "main" : ""),
                text: texts.terms.command(specification.name))
        }
    }

    private func details(_ specification: CommandSpecification, _ form: FormSeal) -> HTML {
        let command = CommandForm(specification)
        let isRefused = refused?.name == specification.name
        let id = "form-\(specification.name.rawValue)"
        return element(
            "details", .class("fold"), .id(id), .init("open", isRefused)
        ) {
            element("summary") {
                element("span", text: texts.terms.command(specification.name))
                " "
                element("span", .class("muted"), text: "…")
            }
            form.form(path(specification.name), .class("inside stack")) {
                CommandFields(
                    texts: texts, form: command,
                    entry: (isRefused ? refused?.entry : nil) ?? CommandEntry(), scope: id
                ).render()
                element("div") { element("button", .class("main"), text: texts[.send]) }
            }
        }
    }

    private func path(_ name: CommandName) -> String {
        "\(Route.device(device.id).path)/commands/\(name.rawValue)"
    }

    // MARK: What it was told

    private var sent: HTML {
        let path = Route.device(device.id).path
        return .joined([
            element("div", .class("row spread")) {
                element("h2", text: texts[.history])
                if !device.commands.isEmpty {
                    element("div", .class("row")) {
                        ActionButton(text: texts[.undo], path: "\(path)/undo").html
                        ActionButton(text: texts[.redo], path: "\(path)/redo").html
                    }
                }
            },
            device.commands.isEmpty
                ? element("p", .class("muted"), text: texts[.noCommands])
                : CommandList(texts: texts, now: MachineClock.wallTime).render(
                    Array(device.commands.prefix(8))),
        ])
    }
}
