internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// Chooses what a history shows. A filter is the query of a page, so that it can be kept as a bookmark.
@MainActor
struct HistoryFilterForm {
    let model: HistoryViewModel
    let texts: Texts
    let filter: RecordFilter
    /// The page that it is about.
    let route: Route

    func render() -> HTML {
        element(
            "form", .class("card filters"), .init("method", "get"), .action(route.path),
            .label(texts[.filter])
        ) {
            choice(
                "device", .device, filter.device?.text,
                model.devices.map { ($0.id.text, $0.name) }, areNames: true)
            if !model.rooms.isEmpty {
                choice(
                    "room", .room, filter.room, model.rooms.map { ($0, $0) }, areNames: true)
            }
            if route == .history {
                choice(
                    "state", .state, filter.standing?.rawValue,
                    RecordFilter.Standing.allCases.map { ($0.rawValue, texts[$0.phrase]) })
            } else {
                choice(
                    "kind", .eventKind, filter.kind?.rawValue,
                    HomeEvent.Kind.allCases.map { ($0.rawValue, texts[$0.phrase]) })
            }
            day("from", .fromDay, filter.from)
            day("to", .toDay, filter.until)
            element("div", .class("row")) {
                element("button", .class("main"), text: texts[.show])
                element("a", .class("button"), .href(route.path), text: texts[.showAll])
            }
        }
    }

    private func choice(
        _ name: String, _ label: Phrase, _ chosen: String?,
        _ values: [(value: String, text: String)], areNames: Bool = false
    ) -> HTML {
        element("div", .class("field")) {
            element("label", .init("for", "filter-\(name)"), text: texts[label])
            element("select", .id("filter-\(name)"), .init("name", name)) {
                element("option", .init("value", ""), text: texts[.all])
                values.map { value, text in
                    element(
                        "option",
                        [.init("value", value), .init("selected", value == chosen)]
                            + (areNames ? [.name] : []), content: { HTML(text) })
                }
            }
        }
    }

    private func day(_ name: String, _ label: Phrase, _ date: CalendarDate?) -> HTML {
        element("div", .class("field")) {
            element("label", .init("for", "filter-\(name)"), text: texts[label])
            void(
                "input", .id("filter-\(name)"), .init("name", name), .init("type", "date"),
                .init("value", date.map { "\($0)" } ?? ""))
        }
    }

    // MARK: The query

    /// The path of a page with a filter.
    static func path(_ route: Route, _ filter: RecordFilter) -> String {
        let pairs: [(name: String, value: String?)] = [
            ("device", filter.device?.text), ("room", filter.room),
            ("state", route == .history ? filter.standing?.rawValue : nil),
            ("kind", route == .events ? filter.kind?.rawValue : nil),
            ("from", filter.from.map { "\($0)" }), ("to", filter.until.map { "\($0)" }),
            ("page", filter.page > 0 ? "\(filter.page)" : nil),
        ]
        let given = pairs.compactMap { name, value in value.map { (name: name, value: $0) } }
        return given.isEmpty ? route.path : "\(route.path)?\(FormValues.encoded(given))"
    }
}

extension RecordFilter {
    /// The filter of a query. What cannot be read chooses nothing.
    init(_ query: FormValues) {
        self.init(
            device: query["device"].flatMap(DeviceID.init(rawValue:)),
            room: query["room"].flatMap { $0.isEmpty ? nil : $0 },
            standing: query["state"].flatMap(Standing.init),
            kind: query["kind"].flatMap(HomeEvent.Kind.init),
            from: query["from"].flatMap { CalendarDate($0) },
            until: query["to"].flatMap { CalendarDate($0) },
            page: query["page"].flatMap { Int($0) } ?? 0)
    }
}

extension RecordFilter.Standing {
    fileprivate var phrase: Phrase {
        switch self {
        case .open: .openCommands
        case .done: .done
        case .failed: .notDone
        case .unknown: .outcomeUnknown
        }
    }
}

extension HomeEvent.Kind {
    fileprivate var phrase: Phrase {
        switch self {
        case .presence: .comingAndGoing
        case .event: .eventsOfDevices
        }
    }
}
