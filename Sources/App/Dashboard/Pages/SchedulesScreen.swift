internal import DeviceControl
internal import DeviceControlPresentation
internal import DeviceDomain
internal import Markup
internal import SharedPresentation

/// Commands at times of day: the list, and the form that adds or changes one.
///
/// Adding takes two pages without a script: first device and command, then time and arguments.
@MainActor
struct SchedulesScreen: Screen {
    let model: SchedulesViewModel
    let texts: Texts

    /// The command that `DEVICE/COMMAND` names.
    static func command(_ text: String) -> (device: DeviceID, command: CommandName)? {
        let parts = text.split(separator: "/").map(String.init)
        guard parts.count == 2, let device = DeviceID(rawValue: parts[0]) else { return nil }
        return (device, CommandName(rawValue: parts[1]))
    }

    var title: String { texts[.schedules] }

    func live() -> LiveContent { LiveContent() }

    func content(_ parts: LiveParts, _ form: FormToken) -> HTML {
        .joined([
            element("h1", text: texts[.schedules]),
            list(form),
            element("section", .class("card"), .id("add")) {
                element(
                    "h2",
                    text: texts[model.draft?.schedule == nil ? .addSchedule : .changeSchedule])
                if let draft = model.draft { add(draft, form) } else { choose }
            },
        ])
    }

    // MARK: The list

    private func list(_ form: FormToken) -> HTML {
        let empty = EmptyState(
            icon: .schedule, title: texts[.schedulesEmptyTitle], text: texts[.schedulesEmptyText])
        return Placeholder(texts: texts, empty: empty.html).html(model.state)
            ?? element("ul", .class("grid")) {
                (model.state.content ?? []).map { card($0, form) }
            }
    }

    private func card(_ entry: SchedulesViewModel.Entry, _ form: FormToken) -> HTML {
        let (now, schedule) = (MachineClock.wallTime, entry.schedule)
        return element("li", .class("card stack tight")) {
            element("div", .class("row spread")) {
                element("h2", text: when(schedule.rule))
                schedule.isPaused
                    ? Badge(tone: .warn, text: texts[.pausedSchedule], icon: .waiting).html
                    : Icon.schedule.svg
            }
            element("p") {
                element(
                    "a", .href(Route.device(schedule.command.device).path), .name,
                    text: entry.deviceName)
                " · \(texts.terms.command(schedule.command.name))"
                CommandText(texts: texts).arguments(schedule.command.arguments, rooms: entry.rooms)
                    .map { element("span", .name, text: " · \($0)") }
            }
            element("p", .class("muted small")) {
                if !schedule.isPaused {
                    "\(texts[.nextRun]): "
                        + (entry.next.map { texts.format.dateAndTime($0, now: now) }
                            ?? texts[.never])
                }
                schedule.history.lastRun.map {
                    HTML(" · \(texts[.lastRun]): \(texts.format.dateAndTime($0, now: now))")
                }
                schedule.history.lastMissed.map {
                    HTML(" · \(texts[.lastMissed]): \(texts.format.dateAndTime($0, now: now))")
                }
            }
            buttons(schedule, form)
        }
    }

    private func buttons(_ schedule: Schedule, _ form: FormToken) -> HTML {
        let path = "\(Route.schedules.path)/\(schedule.id)"
        func button(_ name: Phrase, _ step: String, _ style: String) -> HTML {
            element(
                "button", .class("little \(style)"), .init("formaction", "\(path)/\(step)"),
                .label("\(texts[name]): \(when(schedule.rule))"), text: texts[name])
        }
        return form.form("\(path)/remove", .class("row")) {
            element(
                "a", .class("button little"),
                .href("\(Route.schedules.path)?edit=\(schedule.id)#add"),
                .label("\(texts[.change]): \(when(schedule.rule))"), text: texts[.change])
            schedule.isPaused
                ? button(.resumeSchedule, "resume", "") : button(.pauseSchedule, "pause", "")
            button(.remove, "remove", "danger")
        }
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
                    model.choices.map { device in
                        element("optgroup", .init("label", device.name), .name) {
                            device.commands.map { name in
                                element(
                                    "option", .init("value", "\(device.id)/\(name.rawValue)"),
                                    text: "\(device.name) · \(texts.terms.command(name))")
                            }
                        }
                    }
                }
            }
            element("div") { element("button", .class("main"), text: texts[.addSchedule]) }
        }
    }

    private func add(_ draft: SchedulesViewModel.Draft, _ form: FormToken) -> HTML {
        let name = draft.form.specification.name
        return form.form("/schedules#add", .class("stack"), .init("data-leaves")) {
            void(
                "input", .init("type", "hidden"), .init("name", "add"),
                .init("value", "\(draft.device)/\(name.rawValue)"))
            draft.schedule.map { schedule in
                void(
                    "input", .init("type", "hidden"), .init("name", "schedule"),
                    .init("value", "\(schedule)"))
            }
            element("p") {
                element("strong", text: texts.terms.command(name))
                " · "
                element("span", .name, text: draft.deviceName)
            }
            refusal(draft)
            CommandFields(
                texts: texts, form: draft.form, scope: "schedule",
                names: texts.roomNames(draft.rooms)
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

    private func refusal(_ draft: SchedulesViewModel.Draft) -> HTML? {
        switch draft.problem {
        case .time: wrong("\(texts[.time]): \(texts[.required])")
        case .date: wrong("\(texts[.date]): \(texts[.dateForm])")
        case .days: wrong("\(texts[.days]): \(texts.sentence(.notAChoice))")
        case .dateAndDays: wrong(texts[.dateAndDays])
        case .refused(let failure): Notice(failure, texts).html
        case nil: nil
        }
    }

    private func wrong(_ text: String) -> HTML {
        Notice(tone: .bad, text: text, isUrgent: true).html
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

    private func days(_ draft: SchedulesViewModel.Draft) -> HTML {
        element("fieldset", .class("field")) {
            element("legend") {
                texts[.repeated]
                element("span", .class("muted"), text: " (\(texts[.noDayIsEveryDay]))")
            }
            element("div", .class("choices")) {
                Weekday.allCases.map { day in
                    element("label", .class("choice")) {
                        void(
                            "input", .init("type", "checkbox"), .init("name", "day"),
                            .init("value", day.abbreviation),
                            .init("checked", draft.days?.contains(day) == true))
                        element("span", text: texts.format.weekday(day))
                    }
                }
            }
        }
    }
}
