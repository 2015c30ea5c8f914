internal import DeviceControl
internal import DeviceDomain
internal import Homeport

/// Commands at times of day: the list, and the form that adds one.
///
/// Adding takes two pages without a script: first device and command, then time and arguments.
@MainActor
struct SchedulesScreen: Screen {
    /// A command of a device that is to be scheduled, and what was filled in.
    struct Draft: Sendable {
        let device: DeviceState
        let specification: CommandSpecification
        var entry = CommandEntry()
        var time = ""
        var date = ""
        var days: Set<String> = []
    }

    let state: HomeState
    /// What the ledger holds, or why it could not be read.
    let schedules: Result<[Schedule], HomeError>
    let texts: Texts
    let calendar: LocalCalendar
    var draft: Draft?

    var title: String { texts[.schedules] }

    func live() -> LiveContent { LiveContent() }

    func content(_ parts: LiveParts, _ form: FormSeal) -> HTML {
        .joined([
            element("h1", text: texts[.schedules]),
            list(form),
            element("section", .class("card"), .id("add")) {
                element("h2", text: texts[.addSchedule])
                if let draft { add(draft, form) } else { choose }
            },
        ])
    }

    // MARK: The list

    private func list(_ form: FormSeal) -> HTML {
        switch schedules {
        case .failure(let error):
            Notice(tone: .bad, text: error.message, isUrgent: true).html
        case .success(let schedules) where schedules.isEmpty:
            EmptyState(
                icon: .schedule, title: texts[.schedulesEmptyTitle],
                text: texts[.schedulesEmptyText]
            ).html
        case .success(let schedules):
            element("ul", .class("grid")) { schedules.map { card($0, form) } }
        }
    }

    private func card(_ schedule: Schedule, _ form: FormSeal) -> HTML {
        let now = MachineClock.wallTime
        let device = schedule.command.device
        return element("li", .class("card stack tight")) {
            element("div", .class("row spread")) {
                element("h2", text: when(schedule.rule))
                Icon.schedule.svg
            }
            element("p") {
                element(
                    "a", .href(Route.device(device).path),
                    text: state.devices[device]?.name ?? device.text)
                " · \(texts.terms.command(schedule.command.name))"
                arguments(schedule)
            }
            element("p", .class("muted small")) {
                "\(texts[.nextRun]): "
                    + (schedule.next(after: now, in: calendar)
                        .map { texts.format.dateAndTime($0, now: now) } ?? texts[.never])
                schedule.history.lastRun.map {
                    HTML(" · \(texts[.lastRun]): \(texts.format.dateAndTime($0, now: now))")
                }
                schedule.history.lastMissed.map {
                    HTML(" · \(texts[.lastMissed]): \(texts.format.dateAndTime($0, now: now))")
                }
            }
            form.form("/schedules/\(schedule.id)/remove") {
                element(
                    "button", .class("little danger"),
                    .label("\(texts[.remove]): \(when(schedule.rule))"), text: texts[.remove])
            }
        }
    }

    private func arguments(_ schedule: Schedule) -> String {
        let words = DeviceWords(texts: texts)
        return schedule.command.arguments.sorted { $0.key < $1.key }
            .map { " · \(texts.terms.member($0.key)) \(words.value($0.value, of: $0.key))" }
            .joined()
    }

    private func when(_ rule: ScheduleRule) -> String {
        switch rule {
        case .once(let time, let date): "\(time) · \(texts.format.date(date))"
        case .weekly(let time, let days):
            days.count == Weekday.allCases.count
                ? "\(time) · \(texts[.everyDay])"
                : "\(time) · "
                    + Weekday.allCases.filter(days.contains).map(texts.format.weekday)
                    .joined(separator: " ")
        }
    }

    // MARK: Adding

    private var choose: HTML {
        element("form", .class("fields"), .init("method", "get"), .action("/schedules")) {
            element("div", .class("field")) {
                element("label", .init("for", "what"), text: texts[.command])
                element("select", .id("what"), .init("name", "add"), .init("required")) {
                    state.allDevices.map { device in
                        element("optgroup", .init("label", device.name)) {
                            commands(device).map { name in
                                element(
                                    "option", .init("value", "\(device.id)/\(name.rawValue)"),
                                    text: texts.terms.command(name))
                            }
                        }
                    }
                }
            }
            element("div") { element("button", .class("main"), text: texts[.addSchedule]) }
        }
    }

    private func commands(_ device: DeviceState) -> [CommandName] {
        (device.known.profile?.commands ?? []).filter { $0.sort != .instant }.map(\.name)
    }

    private func add(_ draft: Draft, _ form: FormSeal) -> HTML {
        let name = draft.specification.name
        return form.form("/schedules", .class("stack")) {
            void(
                "input", .init("type", "hidden"), .init("name", "add"),
                .init("value", "\(draft.device.id)/\(name.rawValue)"))
            element("p") {
                element("strong", text: texts.terms.command(name))
                " · \(draft.device.name)"
            }
            CommandFields(
                texts: texts, form: CommandForm(draft.specification), entry: draft.entry,
                scope: "schedule"
            ).render()
            element("div", .class("fields")) {
                input("time", .time, "time", draft.time, isRequired: true)
                days(draft)
                input("date", .onceOn, "date", draft.date)
            }
            element("div", .class("row")) {
                element("button", .class("main"), text: texts[.save])
                element("a", .class("button"), .href("/schedules"), text: texts[.cancel])
            }
        }
    }

    private func input(
        _ name: String, _ label: Phrase, _ type: String, _ value: String, isRequired: Bool = false
    ) -> HTML {
        element("div", .class("field")) {
            element("label", .init("for", "schedule-\(name)")) {
                texts[label]
                if !isRequired {
                    element("span", .class("muted"), text: " (\(texts[.optional]))")
                }
            }
            void(
                "input", .id("schedule-\(name)"), .init("name", name), .init("type", type),
                .init("value", value), .init("required", isRequired))
        }
    }

    private func days(_ draft: Draft) -> HTML {
        element("fieldset", .class("field")) {
            element("legend") {
                texts[.repeated]
                element("span", .class("muted"), text: " (\(texts[.everyDay]))")
            }
            element("div", .class("choices")) {
                Weekday.allCases.map { day in
                    element("label", .class("choice")) {
                        void(
                            "input", .init("type", "checkbox"), .init("name", "day"),
                            .init("value", day.abbreviation),
                            .init("checked", draft.days.contains(day.abbreviation)))
                        element("span", text: texts.format.weekday(day))
                    }
                }
            }
        }
    }
}
