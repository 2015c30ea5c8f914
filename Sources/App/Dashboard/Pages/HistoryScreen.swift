internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// What has happened in the home, with filters and by pages: every command, or the events of the devices.
@MainActor
struct HistoryScreen: Screen {
    /// What was read when the page was asked for.
    enum Content {
        case commands(Result<RecordPage<CommandSummary>, Failure>)
        case events(Result<RecordPage<HomeEvent>, Failure>)

        /// The place of the page.
        var route: Route {
            switch self {
            case .commands: .history
            case .events: .events
            }
        }
    }

    let model: HistoryViewModel
    let texts: Texts
    let filter: RecordFilter
    let content: Content

    private var route: Route { content.route }

    var title: String { texts[.whatHappened] }

    func live() -> LiveContent { LiveContent() }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("h1", text: title),
            element("nav", .class("tabs"), .label(title)) {
                tab(.history, .commands)
                tab(.events, .eventLog)
            },
            HistoryFilterForm(model: model, texts: texts, filter: filter, route: route).render(),
            list,
        ])
    }

    /// The other list with the same device, room and days.
    private func tab(_ to: Route, _ name: Phrase) -> HTML {
        var filter = filter
        filter.page = 0
        let path = HistoryFilterForm.path(to, filter)
        return element(
            "a", [.href(path)] + (to == route ? [.init("aria-current", "page")] : [])
        ) { HTML(texts[name]) }
    }

    // MARK: The list

    private var list: HTML {
        switch content {
        case .commands(.success(let page)):
            return listed(page, filter == RecordFilter() ? .noCommands : .noMatch, command)
        case .events(.success(let page)):
            return listed(page, .noEvents, event)
        case .commands(.failure(let failure)), .events(.failure(let failure)):
            return Notice(failure, texts).html
        }
    }

    private func listed<Entry>(
        _ page: RecordPage<Entry>, _ nothing: Phrase, _ row: (Entry, Timestamp) -> HTML
    ) -> HTML {
        guard !page.entries.isEmpty else {
            return .joined([
                element("div", .class("card")) {
                    element("p", .class("muted"), text: texts[nothing])
                }, pages(hasOlder: false),
            ])
        }
        let now = MachineClock.wallTime
        return .joined([
            element("ol", .class("card log")) { page.entries.map { row($0, now) } },
            pages(hasOlder: page.hasOlder),
        ])
    }

    private func command(_ command: CommandSummary, _ now: Timestamp) -> HTML {
        let text = CommandText(texts: texts)
        let arguments = text.arguments(command.arguments, rooms: command.rooms)
        return entry(command.askedAt, now, command.device, command.deviceName) {
            element("span", .class("what")) {
                element(
                    "a", .href(Route.command(command.id).path), text: texts.name(of: command))
                if !arguments.isEmpty {
                    element(
                        "span", .class("muted"), .name,
                        text: " \(arguments.joined(separator: ", "))")
                }
            }
            Badge(tone: command.tone, text: text.standing(command)).html
        }
    }

    private func event(_ event: HomeEvent, _ now: Timestamp) -> HTML {
        entry(event.at, now, event.device, event.deviceName) {
            switch event.content {
            case .online: Badge(tone: .good, text: texts[.online], icon: .done).html
            case .offline: Badge(tone: .plain, text: texts[.offline], icon: .problem).html
            case .event(let name, let detail):
                let (title, more) = (texts.terms.event(name), particulars(detail))
                element("span", .class("what")) {
                    // A code often begins with what the event is called.
                    if more?.hasPrefix(title) != true { element("strong", text: "\(title) ") }
                    more.map { element("span", .class("muted"), text: $0) }
                }
            }
        }
    }

    private func entry(
        _ moment: Timestamp, _ now: Timestamp, _ device: DeviceID, _ name: String,
        @HTMLBuilder what: () -> HTML
    ) -> HTML {
        element("li") {
            element(
                "time", .class("muted number"),
                text: texts.format.dateAndTime(moment, now: now))
            element("a", .href(Route.device(device).path), .name, text: name)
            what()
        }
    }

    /// What an event says beside its name: a code in words, else its members.
    private func particulars(_ detail: JSONObject) -> String? {
        if let code = detail["code"]?.string { return texts.faults.sentence(code) }
        let values = detail.sorted { $0.key < $1.key }.map { name, value in
            "\(texts.terms.member(name)): \(DeviceText(texts: texts).value(value, of: name))"
        }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private func pages(hasOlder: Bool) -> HTML {
        func link(_ name: Phrase, by step: Int) -> HTML {
            var filter = filter
            filter.page += step
            return element(
                "a", .class("button little"), .href(HistoryFilterForm.path(route, filter)),
                text: texts[name])
        }
        return element("nav", .class("row"), .label(texts[.pages])) {
            if filter.page > 0 { link(.newer, by: -1) }
            if hasOlder, filter.page < RecordFilter.lastPage { link(.older, by: 1) }
        }
    }
}

extension CommandSummary {
    /// What its standing says at a glance.
    fileprivate var tone: BadgeTone {
        switch timeline.ending {
        case .succeeded: .good
        case .failed, .rejected, .expired, .refused: .bad
        case .cancelled, .superseded: .plain
        case .unknown: .warn
        case nil: .info
        }
    }
}
